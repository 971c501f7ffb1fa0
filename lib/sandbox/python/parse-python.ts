import { execFile } from 'node:child_process';
import { parseJson } from '@/lib/base/json';
import type { CodePlace } from '@/lib/sandbox/host/protocol';

/** `ast.parse` parses the text without running it. */
const script = `
import ast, json, sys
try:
    ast.parse(sys.stdin.buffer.read())
    print("[]")
except SyntaxError as fault:
    print(json.dumps([fault.msg, fault.lineno or 1, fault.offset or 1]))
`;
const timeoutMs = 10_000;

/**
 * Returns the syntax error of a Python file. Returns `undefined` when there is none, or when the interpreter does not
 * answer (deeply nested text crashes it); loading the file then reports the error. Does not throw.
 */
export function pythonSyntaxFault(
  interpreter: string,
  file: string,
  text: string,
): Promise<{ readonly message: string; readonly place: CodePlace } | undefined> {
  return new Promise((resolve) => {
    const child = execFile(interpreter, ['-I', '-c', script], { timeout: timeoutMs }, (_, stdout) => {
      const answer = parseJson(stdout.trim());
      const [message, line, column] = Array.isArray(answer) ? answer : [];
      if (typeof message !== 'string') resolve(undefined);
      else resolve({ message, place: { file, line: Number(line), column: Number(column) } });
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(text);
  });
}
