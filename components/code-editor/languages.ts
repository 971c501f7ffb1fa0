import type { Extension } from '@codemirror/state';

/**
 * Loads what highlights and indents a file, by its name. Each language is a part of its own, which is loaded when the first
 * such file is opened. Returns nothing for other files, which stay plain text.
 */
export async function loadLanguage(file: string): Promise<Extension> {
  const name = file.toLowerCase();
  if (/\.(?:md|markdown)$/.test(name)) {
    const [{ markdown }, { yamlFrontmatter }] = await Promise.all([
      import('@codemirror/lang-markdown'),
      import('@codemirror/lang-yaml'),
    ]);
    return yamlFrontmatter({ content: markdown() });
  }
  if (/\.ya?ml$/.test(name)) return (await import('@codemirror/lang-yaml')).yaml();
  if (/\.jsonc?$/.test(name)) return (await import('@codemirror/lang-json')).json();
  if (/\.py$/.test(name)) return (await import('@codemirror/lang-python')).python();
  const script = /\.[cm]?([jt])s(x?)$/.exec(name);
  if (script === null) return [];
  const { javascript } = await import('@codemirror/lang-javascript');
  return javascript({ typescript: script[1] === 't', jsx: script[2] === 'x' });
}

/** Returns the indentation that the language's style guide names. */
export function indentOf(file: string): string {
  return /\.py$/i.test(file) ? '    ' : '  ';
}
