/**
 * Python's `fnmatch`, which fast-agent filters tool names with: `*`, `?`, `[abc]`, `[a-z]`, `[!abc]`; case matters, and
 * a `[` without its `]` is itself.
 */
export function globMatch(pattern: string, name: string): boolean {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    expression = toExpression(pattern);
    if (compiled.size > 10_000) compiled.clear();
    compiled.set(pattern, expression);
  }
  return expression.test(name);
}

const compiled = new Map<string, RegExp>();

function toExpression(pattern: string): RegExp {
  let source = '';
  for (let i = 0; i < pattern.length; i += 1) {
    const char = pattern.charAt(i);
    if (char === '*') {
      while (pattern.charAt(i + 1) === '*') i += 1;
      source += '.*';
    } else if (char === '?') source += '.';
    else if (char === '[') {
      // A `]` directly after `[` or `[!` is a member of the class.
      const from = pattern.charAt(i + 1) === '!' ? i + 2 : i + 1;
      const end = pattern.indexOf(']', from + 1);
      if (end === -1) source += '\\[';
      else {
        source += `[${from === i + 2 ? '^' : ''}${pattern.slice(from, end).replace(/[\\[\]^]/g, '\\$&')}]`;
        i = end;
      }
    } else source += char.replace(/[.+^${}()|\\\]/-]/g, '\\$&');
  }
  try {
    return new RegExp(`^${source}$`, 's');
  } catch {
    // A range in the wrong order (`[z-a]`) matches nothing, as in Python.
    return /(?!)/;
  }
}
