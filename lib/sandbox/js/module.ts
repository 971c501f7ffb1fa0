import { type ParserPlugin, parse } from '@babel/parser';
import type * as t from '@babel/types';

/** The declarations at the top level of a JavaScript or TypeScript file. The file is parsed, not run. */
export type Module =
  | {
      readonly ok: true;
      /** Every name that a declaration binds, without imports. */
      readonly functions: ReadonlyMap<string, FunctionText>;
      readonly types: ReadonlyMap<string, TypeText>;
      readonly exported: ReadonlySet<string>;
      /** Maps a local name to the file and the name it comes from. */
      readonly imports: ReadonlyMap<string, { readonly from: string; readonly name: string }>;
      readonly isCommonJs: boolean;
    }
  | ModuleFault;

interface ModuleFault {
  readonly ok: false;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export interface FunctionText {
  /** `undefined` if the name is bound to a value whose parameters cannot be read. */
  readonly params: readonly t.Node[] | undefined;
  readonly doc: string | undefined;
  readonly line: number;
}

export interface TypeText {
  readonly node: t.TSInterfaceDeclaration | t.TSTypeAliasDeclaration | t.TSEnumDeclaration;
  readonly doc: string | undefined;
}

const plugins: ParserPlugin[] = ['decorators', 'explicitResourceManagement'];

export function readModule(file: string, text: string): Module {
  const parsed = parseModule(file, text);
  if (!parsed.ok) return parsed;
  const { program } = parsed;
  const functions = new Map<string, FunctionText>();
  const types = new Map<string, TypeText>();
  const exported = new Set<string>();
  const imports = new Map<string, { from: string; name: string }>();
  for (const statement of program.body) readStatement(statement, docOf(statement));
  return {
    ok: true,
    functions,
    types,
    exported,
    imports,
    isCommonJs: program.sourceType === 'script' && isCommonJs(text),
  };

  function readStatement(statement: t.Node, doc: string | undefined): void {
    if ('declare' in statement && statement.declare === true) return;
    switch (statement.type) {
      case 'FunctionDeclaration':
        if (statement.id) addFunction(statement.id.name, statement.params, doc, statement);
        return;
      case 'VariableDeclaration':
        for (const one of statement.declarations) {
          if (one.id.type !== 'Identifier') continue;
          addFunction(one.id.name, paramsOf(one.init), docOf(one) ?? doc, one);
        }
        return;
      case 'ClassDeclaration':
        if (statement.id) addFunction(statement.id.name, undefined, doc, statement);
        return;
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSEnumDeclaration':
        types.set(statement.id.name, { node: statement, doc });
        return;
      case 'ExportNamedDeclaration':
        if (statement.declaration) {
          const before = new Set(functions.keys());
          readStatement(statement.declaration, docOf(statement.declaration) ?? doc);
          for (const name of functions.keys()) if (!before.has(name)) exported.add(name);
        }
        for (const one of statement.specifiers) exported.add(nameOf(one.exported));
        return;
      case 'ExportDefaultDeclaration': {
        exported.add('default');
        const { declaration } = statement;
        if (declaration.type === 'FunctionDeclaration') {
          addFunction('default', declaration.params, docOf(declaration) ?? doc, declaration);
          if (declaration.id) addFunction(declaration.id.name, declaration.params, doc, declaration);
        } else addFunction('default', paramsOf(declaration), doc, declaration);
        return;
      }
      case 'ImportDeclaration':
        for (const one of statement.specifiers) {
          if (one.type !== 'ImportSpecifier') continue;
          imports.set(one.local.name, { from: statement.source.value, name: nameOf(one.imported) });
        }
    }
  }

  function addFunction(
    name: string,
    params: readonly t.Node[] | undefined,
    doc: string | undefined,
    node: t.Node,
  ): void {
    functions.set(name, { params, doc, line: node.loc?.start.line ?? 1 });
  }
}

function parseModule(file: string, text: string): { readonly ok: true; readonly program: t.Program } | ModuleFault {
  const typed: ParserPlugin[] = /\.[cm]?ts$/.test(file) ? ['typescript', ...plugins] : plugins;
  try {
    const options = { sourceType: 'unambiguous', plugins: typed, allowReturnOutsideFunction: true } as const;
    return { ok: true, program: parse(text, options).program };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { line, column } = 'loc' in error && isPlace(error.loc) ? error.loc : { line: 1, column: 0 };
    return { ok: false, message: error.message.replace(/ \(\d+:\d+\)$/, ''), line, column: column + 1 };
  }
}

function paramsOf(node: t.Node | null | undefined): readonly t.Node[] | undefined {
  if (node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression') return node.params;
  if (node?.type === 'TSAsExpression' || node?.type === 'TSSatisfiesExpression') return paramsOf(node.expression);
  return undefined;
}

/** Returns the JSDoc block directly before a node, without its stars. */
export function docOf(node: t.Node): string | undefined {
  const block = node.leadingComments?.findLast(
    (comment) => comment.type === 'CommentBlock' && comment.value[0] === '*',
  );
  return block?.value
    .slice(1)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();
}

export function nameOf(node: t.Identifier | t.StringLiteral): string {
  return node.type === 'Identifier' ? node.name : node.value;
}

function isCommonJs(text: string): boolean {
  return /\b(?:module\.exports|exports\.[\w$]+)\s*=/.test(text);
}

function isPlace(value: unknown): value is { line: number; column: number } {
  return typeof value === 'object' && value !== null && 'line' in value && 'column' in value;
}
