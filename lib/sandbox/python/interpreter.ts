import { execFile } from 'node:child_process';
import { parseJson } from '@/lib/base/json';

export type Interpreter =
  | { readonly ok: true; readonly path: string; readonly version: string }
  | { readonly ok: false; readonly message: string };

const found = new Map<string, Promise<Interpreter>>();

/**
 * Resolves a command, which may be a launcher script, to the interpreter it starts. Runs no code of a project. The result
 * is cached.
 */
export function findInterpreter(command: string): Promise<Interpreter> {
  const known = found.get(command);
  if (known !== undefined) return known;
  const asked = ask(command);
  found.set(command, asked);
  return asked;
}

function ask(command: string): Promise<Interpreter> {
  const script = 'import json, sys; print(json.dumps([sys.executable, list(sys.version_info[:3])]))';
  return new Promise((resolve) => {
    execFile(command, ['-I', '-c', script], { timeout: 15_000 }, (error, stdout) => {
      const answer = parseJson(stdout.trim());
      const [path, version] = Array.isArray(answer) ? answer : [];
      if (typeof path !== 'string' || !Array.isArray(version)) {
        const isAbsent = error !== null && 'code' in error && error.code === 'ENOENT';
        const why = isAbsent ? 'There is no such program.' : 'It does not answer as Python 3 does.';
        resolve({
          ok: false,
          message: `CALLBOARD_PYTHON: '${command}' is not a Python that can be started. ${why} ${advice}`,
        });
        return;
      }
      const [major, minor] = version.map(Number);
      const name = version.join('.');
      if (major === 3 && (minor ?? 0) >= 9) resolve({ ok: true, path, version: name });
      else
        resolve({
          ok: false,
          message: `CALLBOARD_PYTHON: '${command}' is Python ${name}; 3.9 or newer is needed. ${advice}`,
        });
    });
  });
}

const advice = 'Set it to the path of an interpreter, for example that of a virtual environment.';
