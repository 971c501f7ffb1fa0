import { card, type Files, folderFamily, many, type NastyFamily } from './family';

/** Inputs that are code files named by a card. */
export const nastyCode: readonly NastyFamily[] = [
  script('constants', 400_000, (size) => many(size / 14, (i) => `const a${i} = 1;\n`)),
  script('exported functions', 300_000, (size) =>
    many(size / 40, (i) => `export function f${i}(a, b) { return a; }\n`),
  ),
  script('calls at top level', 200_000, (size) => many(size / 10, (i) => `f${i}(a[0]);\n`)),
  script('spaces after function', 100_000, (size) => `function ${' '.repeat(size)}\n`),
  script('spaces in a function expression', 60_000, (size) =>
    many(size / 3_000, (i) => `const a${i} = function${' '.repeat(2_950)};\n`),
  ),
  script('line breaks after a constant', 60_000, (size) =>
    many(size / 400, (i) => `const a${i} = 1${'\n'.repeat(380)}+ 1;`),
  ),
  script('type parameters without an end', 100_000, (size) => many(size / 14, (i) => `function f${i}<\n`)),
  script('templates inside templates', 200_000, (size) => `${'`${'.repeat(size / 6)}1${'}`'.repeat(size / 6)}`),
  script('divisions', 100_000, (size) => `const x = ${many(size / 8, (i) => `a${i} / /**/ `)} 1;`),
  script('comments before a slash', 100_000, (size) => many(size / 12, () => `/* a */ b /**/ / c;\n`)),
  script('lists of exports', 200_000, (size) => many(size / 20, (i) => `export { a${i}, b${i} };\n`)),
  script('quotes', 200_000, (size) => many(size / 8, () => `'a' + "";\n`)),
  python('functions', 200_000, (size) => many(size / 28, (i) => `def f${i}(a, b=1):\n    pass\n`)),
  python('spaces after import', 100_000, (size) => `import${' '.repeat(size)}os`),
  python(
    'parameters without an end',
    100_000,
    (size) => `${')'.repeat(size / 10)}\n${many(size / 10, (i) => `def f${i}(\n`)}`,
  ),
  python('lines between decorator and function', 100_000, (size) =>
    many(size / 2_000, (i) => `@a\n${' \n'.repeat(950)}x${i} = 1\ndef f${i}(): pass\n`),
  ),
  python('decorators', 100_000, (size) => many(size / 24, (i) => `@a\n\n\ndef f${i}(): pass\n`)),
  python('globals', 100_000, (size) => many(size / 22, (i) => `def f${i}(): global a, b\n`)),
  python('triple quotes', 200_000, (size) => many(size / 10, () => `""" a """\n`)),
];

function script(name: string, largest: number, text: (size: number) => string): NastyFamily {
  return folderFamily(`TypeScript: ${name}`, largest, (size) => used('a.ts', text(size)));
}

function python(name: string, largest: number, text: (size: number) => string): NastyFamily {
  return folderFamily(`Python: ${name}`, largest, (size) => used('a.py', text(size)));
}

function used(path: string, text: string): Files {
  return { 'lead.md': card(`function_tools: ["${path}:none", "${path}:f1", "${path}:a1"]`), [path]: text };
}
