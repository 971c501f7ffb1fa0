import type { Folder } from '@/lib/cards/folder';
import type { CodeHost } from '@/lib/sandbox/code-host';
import type { PythonSetting } from '@/lib/sandbox/code-hosts';
import type { CodeLimits } from '@/lib/sandbox/limits';

export function createPythonHost(_folder: Folder, _setting: PythonSetting, _limits: CodeLimits): CodeHost {
  const message =
    'Python code is off here. An operator turns it on with CALLBOARD_PYTHON=1, or with the path of an interpreter.';
  return {
    load: () => Promise.resolve({ ok: false, issue: { code: 'python-off', message } }),
    call: () => Promise.resolve({ ok: false, failure: { code: 'load', message } }),
    close() {},
  };
}
