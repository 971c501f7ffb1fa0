/** Says whether `.py` files of a project run, and with which interpreter. */
export interface PythonSetting {
  readonly enabled: boolean;
  /** A command on PATH, or a path, such as `python3` or `/opt/venv/bin/python`. */
  readonly interpreter: string;
  /** The value of PATH for it and for the programs that it starts. `undefined`: the system's own. */
  readonly searchPath?: string | undefined;
}

/**
 * Reads CALLBOARD_PYTHON. Empty or `0` means off, and `1` means `python3` from PATH. Any other value names an interpreter.
 */
export function pythonSetting(value: string | undefined, searchPath?: string): PythonSetting {
  const text = value?.trim() ?? '';
  if (/^(?:0|off|no|false)?$/i.test(text)) return { enabled: false, interpreter: 'python3', searchPath };
  return { enabled: true, interpreter: /^(?:1|on|yes|true)$/i.test(text) ? 'python3' : text, searchPath };
}
