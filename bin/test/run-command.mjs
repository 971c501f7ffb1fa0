// Runs the command of a part of the tests, and reads its report.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The folder that `CALLBOARD_TEST_REPORTS` names is kept. */
const kept = process.env.CALLBOARD_TEST_REPORTS;
const folder = kept ?? mkdtempSync(join(tmpdir(), 'callboard-reports-'));
if (kept === undefined) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
else mkdirSync(folder, { recursive: true });

/** Returns the path of a report that does not exist yet. */
export function reportFile(part) {
  const file = join(folder, `${part}.json`);
  rmSync(file, { force: true });
  return file;
}

/**
 * Runs a script with Node, and resolves to what `read` finds in the report that it wrote. A command that fails and names no failed
 * test counts as one failure.
 */
export async function runCommand(args, { env = {}, report, read } = {}) {
  const fault = await run(args, env);
  const found = readIfWritten(report, read);
  if (found === undefined) return failedAs(fault ?? 'the command wrote no report');
  if (fault === undefined || found.failed.length > 0) return found;
  return { ...found, failed: failedAs(fault).failed };
}

function failedAs(reason) {
  return { passed: 0, failed: [`${reason}; see its output above`] };
}

function readIfWritten(report, read) {
  if (report === undefined) return { passed: 0, failed: [] };
  return existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8')), root) : undefined;
}

/** Resolves to a sentence about how the command failed, `undefined` if it succeeded. A SIGTERM to this process ends it too. */
function run(args, env) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  const stop = () => child.kill('SIGTERM');
  process.once('SIGTERM', stop);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `the command ended with ${signal ?? code}`));
  }).finally(() => process.off('SIGTERM', stop));
}
