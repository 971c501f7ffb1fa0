/** A parsed JSDoc block, without unknown tags. */
export interface DocBlock {
  readonly description: string;
  readonly params: readonly DocParam[];
}

export interface DocParam {
  /** The path of a parameter or field. `args.limit` is the field `limit` of the parameter `args`. */
  readonly path: readonly string[];
  /** The text between the braces. */
  readonly type: string | undefined;
  readonly description: string;
  readonly isOptional: boolean;
  /** The default value, as the text after `=`. */
  readonly fallback: string | undefined;
}

export function readDocBlock(doc: string): DocBlock {
  const [head = '', ...tags] = doc.split(/^(?=@[a-z])/im);
  const isTagFirst = head.startsWith('@');
  const params: DocParam[] = [];
  for (const tag of isTagFirst ? [head, ...tags] : tags) {
    const param = readParam(tag);
    if (param !== undefined) params.push(param);
  }
  const described = (isTagFirst ? [head, ...tags] : tags).map((tag) => /^@description\s+([\s\S]*)/i.exec(tag)?.[1]);
  const description = isTagFirst ? '' : head.trim();
  return { description: description || (described.find((text) => text !== undefined)?.trim() ?? ''), params };
}

function readParam(tag: string): DocParam | undefined {
  let rest = /^@(?:param|arg|argument)\s+([\s\S]*)/i.exec(tag)?.[1];
  if (rest === undefined) return undefined;
  let type: string | undefined;
  if (rest.startsWith('{')) {
    const end = closingBrace(rest);
    if (end < 0) return undefined;
    type = rest.slice(1, end).trim();
    rest = rest.slice(end + 1).trimStart();
  }
  const named = /^(?:\[\s*([\w$.]+)\s*(?:=\s*([^\]]*))?\]|([\w$.]+))\s*(?:-\s*)?([\s\S]*)/.exec(rest);
  if (named === null) return undefined;
  const [, optional, fallback, required, description = ''] = named;
  const path = (optional ?? required ?? '').split('.');
  const isOptional = optional !== undefined || type?.endsWith('=') === true;
  return {
    path,
    type: type?.replace(/=$/, ''),
    description: description.replaceAll(/\s+/g, ' ').trim(),
    isOptional,
    fallback: fallback?.trim(),
  };
}

function closingBrace(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth += 1;
    if (text[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}
