import { parse } from '@babel/parser';
import type * as t from '@babel/types';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { type Loader, type TransformFailure, transform } from 'esbuild';
import { isRecord } from '@/lib/base/json';
import { isScript, readScript } from '@/lib/cards/code/read-script';
import { resolveImport } from '@/lib/cards/code/resolve-import';
import type { Folder } from '@/lib/cards/folder';
import type { CodePlace } from '@/lib/sandbox/host/protocol';
import { readModule } from './module';

/** A file of the project as plain JavaScript, with its imports resolved. */
export interface CompiledFile {
  readonly code: string;
  /** Maps a specifier in the code to the path in the project. */
  readonly imports: ReadonlyMap<string, string>;
}

export interface CodeFault {
  readonly message: string;
  readonly place: CodePlace;
}

/** A file with all files it imports, directly or indirectly. */
export type Program =
  | { readonly ok: true; readonly files: ReadonlyMap<string, CompiledFile> }
  | ({ readonly ok: false } & CodeFault);

export interface Compiler {
  /** Compiles a file with its imports. Does not throw. Nothing runs, and no file on disk is read. */
  programOf(file: string): Promise<Program>;
  /** Returns the position in the source file of a position in compiled code. */
  placeOf(file: string, line: number, column: number): CodePlace | undefined;
}

type Compiled = (CompiledFile & { readonly ok: true }) | ({ readonly ok: false } & CodeFault);

/**
 * Compiles file by file and resolves imports here. The bundler of esbuild would look on the disk for a computed import
 * (`import('./' + name)`), which would give a project the worker's files.
 */
export function createCompiler(folder: Folder): Compiler {
  const compiled = new Map<string, Promise<Compiled>>();
  const maps = new Map<string, TraceMap>();

  return {
    async programOf(entry) {
      const files = new Map<string, CompiledFile>();
      const waiting = [entry];
      for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
        if (files.has(file)) continue;
        const one = await compileOnce(file);
        if (!one.ok) return one;
        files.set(file, one);
        waiting.push(...one.imports.values());
      }
      return { ok: true, files };
    },
    placeOf,
  };

  function compileOnce(file: string): Promise<Compiled> {
    const known = compiled.get(file);
    if (known !== undefined) return known;
    const made = compile(file);
    compiled.set(file, made);
    return made;
  }

  async function compile(file: string): Promise<Compiled> {
    const found = folder.get(file);
    const fault = (message: string, line = 1, column = 1): Compiled => ({
      ok: false,
      message,
      place: { file, line, column },
    });
    if (found?.kind !== 'text') return fault(`'${file}' is not a text file of the project.`);
    const reading = isScript(file) ? readScript(file, found.text) : undefined;
    if (reading?.ok === false) return fault(reading.message, reading.line, reading.column);
    try {
      const { code, map } = await transform(prepare(file, found.text), {
        loader: loaderOf(file),
        format: 'esm',
        target: 'es2022',
        sourcefile: file,
        sourcemap: 'external',
        sourcesContent: false,
        charset: 'utf8',
        logLevel: 'silent',
        tsconfigRaw: {},
      });
      maps.set(file, new TraceMap(map));
      const imports = new Map<string, string>();
      for (const { specifier, line, column } of importsOf(code)) {
        const target = resolveImport(folder, file, specifier);
        const place = placeOf(file, line, column);
        if (!target.ok) return fault(target.message, place?.line, place?.column);
        imports.set(specifier, target.file);
      }
      return { ok: true, code, imports };
    } catch (error) {
      const [first] = isTransformFailure(error) ? error.errors : [];
      if (first === undefined) throw error;
      return fault(first.text, first.location?.line, (first.location?.column ?? 0) + 1);
    }
  }

  function placeOf(file: string, line: number, column: number): CodePlace | undefined {
    const map = maps.get(file);
    if (map === undefined) return undefined;
    const found = originalPositionFor(map, { line, column: Math.max(0, column - 1) });
    return found.source === null ? undefined : { file, line: found.line, column: found.column + 1 };
  }
}

/**
 * Exports every function at the top level, as in Python. A CommonJS file without `require` becomes a module whose default
 * export is its `module.exports`. Line numbers do not change.
 */
function prepare(file: string, text: string): string {
  if (file.endsWith('.json')) return text;
  const module = readModule(file, text);
  if (!module.ok) return text;
  if (module.isCommonJs) {
    return `const module = { exports: {} }; const exports = module.exports; ${text}\nexport default module.exports;`;
  }
  const names = [...module.functions.keys()].filter((name) => !module.exported.has(name));
  return names.length === 0 ? text : `${text}\nexport { ${names.join(', ')} };`;
}

function importsOf(code: string): { specifier: string; line: number; column: number }[] {
  const found: { specifier: string; line: number; column: number }[] = [];
  visit(parse(code, { sourceType: 'module', createImportExpressions: true }).program);
  return found;

  function visit(node: t.Node): void {
    const isImport =
      node.type === 'ImportDeclaration' ||
      node.type === 'ExportNamedDeclaration' ||
      node.type === 'ExportAllDeclaration' ||
      node.type === 'ImportExpression';
    if (isImport && node.source?.type === 'StringLiteral') {
      const { start } = node.loc ?? {};
      found.push({ specifier: node.source.value, line: start?.line ?? 1, column: (start?.column ?? 0) + 1 });
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
    }
  }
}

function isNode(value: unknown): value is t.Node {
  return isRecord(value) && typeof value.type === 'string' && 'start' in value;
}

function loaderOf(file: string): Loader {
  if (file.endsWith('.json')) return 'json';
  return /\.[cm]?ts$/.test(file) ? 'ts' : 'js';
}

function isTransformFailure(error: unknown): error is TransformFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}
