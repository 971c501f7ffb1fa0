import type { Mapping } from './fields';

/** Hooks that fast-agent adds to every agent by itself, on files of its own: what they do there. */
const without: Readonly<Record<string, string>> = {
  session_history:
    "saves fast-agent's session files; every run is recorded here, and 'session' of a delegation keeps conversations",
  session_history_window: "counts fast-agent's session files",
  compaction:
    "shortens conversations in fast-agent's program; here 'history: {last: n}' of a delegation and 'trim_tool_history' do",
};

/** A warning for each key of the config that is set and does nothing, so that nobody waits for its effect. */
export function reportConfigWithoutEffect({ report, value }: Mapping): void {
  for (const [key, what] of Object.entries(without)) {
    const given = value[key];
    if (given === undefined || given === null || given === false) continue;
    const text = `'${key}' has no effect in Callboard: it ${what}. Remove it, or keep it for fast-agent.`;
    report.reportKey('no-effect', [key], text);
  }
}
