export interface PythonSetting {
  readonly enabled: boolean;
  /** A command on PATH, or a path: `python3`, `/opt/venv/bin/python`. */
  readonly interpreter: string;
}

/** CALLBOARD_PYTHON: unset, `off` or `0` keep Python off; `1` or `on` run `python3`; anything else is the interpreter. */
export function readPythonSetting(value: string | undefined): PythonSetting {
  const word = (value ?? '').trim();
  if (['', '0', 'off', 'false', 'no'].includes(word.toLowerCase())) return { enabled: false, interpreter: 'python3' };
  if (['1', 'on', 'true', 'yes'].includes(word.toLowerCase())) return { enabled: true, interpreter: 'python3' };
  return { enabled: true, interpreter: word };
}
