import type { Mapping } from './fields';

/** Settings of hooks that fast-agent itself adds to every agent, and their effect there. */
const without: Readonly<Record<string, string>> = {
  session_history:
    "saves fast-agent's session files; every run is recorded here, and 'session' of a delegation keeps conversations",
  session_history_window: "counts fast-agent's session files",
  compaction:
    "shortens conversations in fast-agent's program; here 'history: {last: n}' of a delegation and 'trim_tool_history' do",
};

/** Reports a warning for each key of the config that has no effect in Callboard. */
export function reportConfigWithoutEffect({ report, value }: Mapping): void {
  for (const [key, what] of Object.entries(without)) {
    const given = value[key];
    if (given === undefined || given === null || given === false) continue;
    const text = `'${key}' has no effect in Callboard: it ${what}. Remove it, or keep it for fast-agent.`;
    report.reportKey('no-effect', [key], text);
  }
}
