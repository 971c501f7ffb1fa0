import { type ReadImports, writtenImports } from './imported-files';
import { isScript, readScript } from './read-script';
import { resolveImport } from './resolve-import';

/**
 * Finds the imports that the sandbox follows, however they are written: with comments, escapes or in a template. Of a script that
 * cannot be read it finds what a pattern finds. It is not part of pages, because the parser is large.
 */
export const scriptImports: ReadImports = (folder, path, text) => {
  const reading = isScript(path) ? readScript(path, text) : undefined;
  if (reading?.ok !== true) return writtenImports(folder, path, text);
  const found = reading.imports.flatMap(({ specifier }) => {
    const file = resolveImport(folder, path, specifier);
    return file.ok ? [file.file] : [];
  });
  // A type that is imported does not run, and is read by people.
  return [...new Set([...found, ...writtenImports(folder, path, text)])];
};
