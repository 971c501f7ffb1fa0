import { type ParserPlugin, parse } from '@babel/parser';
import type * as t from '@babel/types';
import { isRecord } from '@/lib/base/json';

/**
 * JavaScript and TypeScript as the sandbox reads them: as a module, in strict mode. The sandbox asks this function before it compiles a
 * file, so that a check and a run find the same faults. Nothing runs. It is not part of pages, because the parser is large: the editor
 * calls it in a web worker.
 */
export type ScriptReading =
  | { readonly ok: true; readonly imports: readonly ScriptImport[] }
  | ({ readonly ok: false } & ScriptFault);

export interface ScriptFault {
  readonly message: string;
  /** Line and column count from 1. */
  readonly line: number;
  readonly column: number;
}

/** An import that stays when types are removed. */
export interface ScriptImport {
  readonly specifier: string;
  readonly line: number;
  readonly column: number;
}

export const scriptPlugins: readonly ParserPlugin[] = ['decorators', 'explicitResourceManagement'];

/** True for files that the sandbox runs as JavaScript. */
export function isScript(path: string): boolean {
  return /\.[cm]?[jt]s$/i.test(path);
}

function isTyped(path: string): boolean {
  return /\.[cm]?ts$/i.test(path);
}

/** Parses a file and finds its first fault. Does not throw. Equal texts are not parsed again. */
export function readScript(path: string, text: string): ScriptReading {
  const key = `${isTyped(path) ? 'ts' : 'js'} ${text}`;
  const known = readings.get(key);
  const reading = known ?? parsed(path, text);
  remember(key, reading);
  return reading;
}

/** The last texts and what was found in them, the oldest first. */
const readings = new Map<string, ScriptReading>();
const mostUnits = 8_000_000;
let units = 0;

function remember(key: string, reading: ScriptReading): void {
  if (readings.delete(key)) units -= key.length;
  if (key.length > mostUnits / 4) return;
  readings.set(key, reading);
  units += key.length;
  for (const [oldest] of readings) {
    if (units <= mostUnits) return;
    readings.delete(oldest);
    units -= oldest.length;
  }
}

function parsed(path: string, text: string): ScriptReading {
  const isTs = isTyped(path);
  try {
    const plugins: ParserPlugin[] = [...(isTs ? (['typescript'] as const) : []), ...scriptPlugins];
    const { program } = parse(text, { sourceType: 'module', plugins, createImportExpressions: true });
    const reader = new ProgramReader();
    reader.visit(program);
    return reader.fault ?? { ok: true, imports: reader.imports(isTs) };
  } catch (error) {
    if (error instanceof RangeError) return fault('The code is nested too deeply. Split it.', undefined);
    if (!(error instanceof SyntaxError)) throw error;
    const place = 'loc' in error && isPlace(error.loc) ? error.loc : undefined;
    return fault(`The code cannot be read: ${sentence(error.message)} Correct this place.`, place);
  }
}

function fault(message: string, place: { readonly line: number; readonly column: number } | undefined) {
  return { ok: false, message, line: place?.line ?? 1, column: (place?.column ?? 0) + 1 } as const;
}

/** Returns the message of the parser without the position at its end. */
function sentence(message: string): string {
  const text = message.replace(/ \(\d+:\d+\)$/, '');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Collects imports, the names that values use, and regular expressions that cannot be read. */
class ProgramReader {
  fault: (ScriptFault & { readonly ok: false }) | undefined;
  readonly #found: { readonly at: ScriptImport; readonly names: readonly string[] | undefined }[] = [];
  readonly #used = new Set<string>();

  /** Removing types from TypeScript removes imports of which no value is used. */
  imports(isTs: boolean): ScriptImport[] {
    const isKept = (names: readonly string[] | undefined) =>
      !isTs || names?.some((name) => this.#used.has(name)) !== false;
    return this.#found.flatMap(({ at, names }) => (isKept(names) ? [at] : []));
  }

  visit(program: t.Node): void {
    const waiting: t.Node[] = [program];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      this.#read(node);
      if (isTypeOnly(node)) continue;
      for (const [key, value] of Object.entries(node)) {
        if (key === 'loc' || isName(node, key)) continue;
        for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) waiting.push(child);
      }
    }
    this.#found.sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
  }

  #read(node: t.Node): void {
    switch (node.type) {
      case 'Identifier':
      case 'JSXIdentifier':
        this.#used.add(node.name);
        return;
      case 'RegExpLiteral':
        this.#checkPattern(node);
        return;
      case 'ImportDeclaration': {
        const values = node.specifiers.filter((one) => one.type !== 'ImportSpecifier' || one.importKind !== 'type');
        if (node.importKind === 'type') return;
        this.#add(node.source, node, node.specifiers.length === 0 ? undefined : values.map(({ local }) => local.name));
        return;
      }
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        if (node.exportKind !== 'type' && node.source) this.#add(node.source, node, undefined);
        return;
      case 'ImportExpression':
        this.#readImport(node.source, node);
        return;
    }
  }

  /** Adds the texts that the module's name may be, as esbuild finds them. */
  #readImport(source: t.Node, node: t.Node): void {
    for (const value of textsOf(source)) this.#add({ value }, node, undefined);
  }

  #add(source: Pick<t.StringLiteral, 'value'>, { loc }: t.Node, names: readonly string[] | undefined): void {
    const at = { specifier: source.value, line: loc?.start.line ?? 1, column: (loc?.start.column ?? 0) + 1 };
    this.#found.push({ at, names });
  }

  #checkPattern({ pattern, flags, loc }: t.RegExpLiteral): void {
    try {
      new RegExp(pattern, flags);
    } catch {
      this.fault ??= fault(`The pattern /${pattern}/${flags} cannot be read. Correct it.`, loc?.start);
    }
  }
}

/** Returns the texts that an expression can be: those of a string, a template without values, a sum, or both ends of a choice. */
function textsOf(node: t.Node): string[] {
  switch (node.type) {
    case 'StringLiteral':
      return [node.value];
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? node.quasis.map(({ value }) => value.cooked ?? value.raw) : [];
    case 'BinaryExpression': {
      if (node.operator !== '+') return [];
      const ends = textsOf(node.right);
      return textsOf(node.left).flatMap((start) => ends.map((end) => start + end));
    }
    case 'ConditionalExpression':
      return [...textsOf(node.consequent), ...textsOf(node.alternate)];
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'ParenthesizedExpression':
      return textsOf(node.expression);
    default:
      return [];
  }
}

/** True for a part that removing types removes. */
function isTypeOnly(node: t.Node): boolean {
  if (node.type === 'ImportDeclaration') return true;
  if ('exportKind' in node && node.exportKind === 'type') return true;
  if ('declare' in node && node.declare === true) return true;
  if (!node.type.startsWith('TS')) return false;
  return !valueNodes.has(node.type);
}

const valueNodes: ReadonlySet<string> = new Set([
  ...['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion', 'TSInstantiationExpression'],
  ...['TSEnumDeclaration', 'TSEnumBody', 'TSEnumMember', 'TSModuleDeclaration', 'TSModuleBlock', 'TSExportAssignment'],
  ...['TSParameterProperty', 'TSImportEqualsDeclaration', 'TSQualifiedName'],
]);

/** True if the part of the node is a name of a property, which uses nothing. */
function isName(node: t.Node, key: string): boolean {
  if (!('computed' in node) || node.computed === true) return false;
  return key === 'property' || (key === 'key' && !('shorthand' in node && node.shorthand === true));
}

function isNode(value: unknown): value is t.Node {
  return isRecord(value) && typeof value.type === 'string' && 'start' in value;
}

function isPlace(value: unknown): value is { line: number; column: number } {
  return isRecord(value) && typeof value.line === 'number' && typeof value.column === 'number';
}
