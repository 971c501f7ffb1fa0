import path from 'node:path/posix';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { type BuildFailure, build, type Loader, type Plugin } from 'esbuild';
import type { Folder } from '@/lib/cards/folder';
import type { CodePlace } from '@/lib/sandbox/protocol';
import { readModule } from './module';

/** A file of the project with what it imports, as one module without types. */
export type Bundle =
  | { readonly ok: true; readonly code: string; placeOf(line: number, column: number): CodePlace | undefined }
  | { readonly ok: false; readonly message: string; readonly place: CodePlace };

/**
 * Bundles `file` with its relative imports, from the folder in memory: nothing else can be imported, nothing runs.
 * Functions at the top level are reachable by name whether the file exports them or not, as in Python. Does not throw.
 */
export async function bundleFile(folder: Folder, file: string): Promise<Bundle> {
  try {
    const result = await build({
      entryPoints: [file],
      bundle: true,
      write: false,
      outfile: 'bundle.js',
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      sourcemap: 'external',
      sourcesContent: false,
      charset: 'utf8',
      logLevel: 'silent',
      tsconfigRaw: {},
      plugins: [folderPlugin(folder, file)],
    });
    const code = result.outputFiles.find((output) => output.path.endsWith('.js'))?.text ?? '';
    const map = new TraceMap(result.outputFiles.find((output) => output.path.endsWith('.map'))?.text ?? '{}');
    return { ok: true, code, placeOf: (line, column) => placeOf(map, line, column) };
  } catch (error) {
    const [first] = isBuildFailure(error) ? error.errors : [];
    if (first === undefined) throw error;
    const { location } = first;
    return {
      ok: false,
      message: first.text,
      place: {
        file: location === null ? file : withoutNamespace(location.file),
        line: location?.line ?? 1,
        column: (location?.column ?? 0) + 1,
      },
    };
  }
}

const namespace = 'project';

function folderPlugin(folder: Folder, entry: string): Plugin {
  return {
    name: 'callboard-folder',
    setup(build) {
      build.onResolve({ filter: /.*/ }, (args) => {
        if (args.kind === 'entry-point') return { path: entry, namespace };
        if (!/^\.\.?(\/|$)/.test(args.path)) {
          const text = `'${args.path}' cannot be imported here: code may import only files of the project, by a relative path.`;
          return { errors: [{ text }] };
        }
        const wanted = path.join(path.dirname(args.importer), args.path);
        const found = spellings(wanted).find((spelling) => folder.get(spelling)?.kind === 'text');
        if (found !== undefined) return { path: found, namespace };
        return { errors: [{ text: `'${args.path}' is not a file of the project.` }] };
      });
      build.onLoad({ filter: /.*/, namespace }, (args) => {
        const file = folder.get(args.path);
        if (file?.kind !== 'text') return { errors: [{ text: `'${args.path}' is not a text file of the project.` }] };
        const exported = args.path === entry ? exportsToAdd(args.path, file.text) : '';
        return { contents: file.text + exported, loader: loaderOf(args.path) };
      });
    },
  };
}

function exportsToAdd(file: string, text: string): string {
  const module = readModule(file, text);
  if (!module.ok || module.isCommonJs) return '';
  const names = [...module.functions.keys()].filter((name) => !module.exported.has(name));
  return names.length === 0 ? '' : `\nexport { ${names.join(', ')} };`;
}

function spellings(wanted: string): string[] {
  const typed = /\.[cm]?js$/.test(wanted) ? [wanted.replace(/js$/, 'ts')] : [];
  const added = ['.ts', '.js', '.mts', '.mjs', '/index.ts', '/index.js'].map((end) => wanted + end);
  return [wanted, ...typed, ...added];
}

function loaderOf(file: string): Loader {
  if (file.endsWith('.json')) return 'json';
  return /\.[cm]?ts$/.test(file) ? 'ts' : 'js';
}

function placeOf(map: TraceMap, line: number, column: number): CodePlace | undefined {
  const found = originalPositionFor(map, { line, column: Math.max(0, column - 1) });
  if (found.source === null) return undefined;
  return { file: withoutNamespace(found.source), line: found.line, column: found.column + 1 };
}

function withoutNamespace(source: string): string {
  return source.replace(/^(?:.*\/)?project:/, '');
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors);
}
