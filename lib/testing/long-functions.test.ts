import { readdirSync, readFileSync } from 'node:fs';
import { parse } from '@babel/parser';
import { expect, test } from 'vitest';
import { isRecord } from '@/lib/base/json';

const mostLines = 80;
const reason = /longer than 80 lines because/i;
const folders = ['app', 'bench', 'bin', 'components', 'lib'];

test('finds a long function without a reason beside it', () => {
  const long = (name: string) => `function ${name}() {${'\n'.repeat(mostLines)}}`;
  const text = [
    ...['/** Adds numbers. */', long('plain')],
    ...['/** Adds numbers. Longer than 80 lines because it is a table. */', long('table')],
    ...[
      `const arrow = ${long('')};`,
      'function short() {\n}',
      `class A { ${long('').slice(9).replace('(', 'method(')} }`,
    ],
  ].join('\n');
  expect(unexplained(text, 'a.ts').map(({ name, lines }) => `${name} ${lines}`)).toEqual([
    'plain 81',
    'arrow 81',
    'method 81',
  ]);
});

test('a function over 80 lines has its reason beside it', () => {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const own = files.filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/\.test\.|\.d\.mts$|\/generated\//.test(file));
  expect(own.length).toBeGreaterThan(500);
  expect(
    own.flatMap((file) =>
      unexplained(readFileSync(file, 'utf8'), file).map(({ name, lines }) => `${file} ${name} ${lines}`),
    ),
  ).toEqual([]);
}, 60_000);

interface LongFunction {
  readonly name: string;
  readonly lines: number;
}

/** The functions of a text over 80 lines, without a comment on them that says "longer than 80 lines" and why. */
function unexplained(text: string, file: string): LongFunction[] {
  const found: LongFunction[] = [];
  if (text.split('\n').length <= mostLines) return found;
  const { program } = parse(text, {
    sourceType: 'module',
    plugins: file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'],
  });
  const visit = (node: unknown, name: string, comments: string): void => {
    if (Array.isArray(node)) for (const one of node) visit(one, name, comments);
    // What has few lines holds no long function.
    if (!isRecord(node) || typeof node.type !== 'string' || linesOf(node) <= mostLines) return;
    const own = nameOf(node) ?? name;
    // A comment is attached to the statement: `export`, `const`, or the function itself.
    const near = `${isDeclaration(node.type) ? comments : ''}${commentsOf(node)}`;
    if (isFunction(node.type) && !reason.test(near)) found.push({ name: own, lines: linesOf(node) });
    for (const [key, inner] of Object.entries(node))
      if (!/comments$/i.test(key) && key !== 'loc') visit(inner, own, near);
  };
  visit(program.body, file, '');
  return found;
}

function isFunction(type: string): boolean {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|ClassMethod|ClassPrivateMethod)$/.test(
    type,
  );
}

function isDeclaration(type: string): boolean {
  return isFunction(type) || /^(?:VariableDeclaration|VariableDeclarator)$/.test(type);
}

function nameOf(node: Readonly<Record<string, unknown>>): string | undefined {
  const named = node.id ?? node.key;
  return isRecord(named) && typeof named.name === 'string' ? named.name : undefined;
}

function commentsOf({ leadingComments }: Readonly<Record<string, unknown>>): string {
  const comments: readonly unknown[] = Array.isArray(leadingComments) ? leadingComments : [];
  return comments.map((comment) => (isRecord(comment) ? String(comment.value) : '')).join('\n');
}

function linesOf({ loc }: Readonly<Record<string, unknown>>): number {
  if (!isRecord(loc) || !isRecord(loc.start) || !isRecord(loc.end)) return 0;
  return Number(loc.end.line) - Number(loc.start.line) + 1;
}
