/** Whether `.py` of a project runs, and with what. */
export interface PythonSetting {
  readonly enabled: boolean;
  /** A command on PATH, or a path: `python3`, `/opt/venv/bin/python`. */
  readonly interpreter: string;
}

/** Off unless an operator says otherwise: `1` takes `python3` from PATH, anything else names an interpreter. */
export function pythonSetting(value: string | undefined): PythonSetting {
  const text = value?.trim() ?? '';
  if (/^(?:0|off|no|false)?$/i.test(text)) return { enabled: false, interpreter: 'python3' };
  return { enabled: true, interpreter: /^(?:1|on|yes|true)$/i.test(text) ? 'python3' : text };
}
