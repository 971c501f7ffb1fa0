/** The look of the replay page, in light and dark. It has the colours of the app. */
export const replayStyle = `
:root { color-scheme: light dark; --ground: #f6f7f9; --band: #eef0f4; --surface: #fff; --hover: #eef0f5; --line: #e1e4ea; --ink: #14171f;
  --muted: #565e6e; --accent: #4a47c9; --accent-soft: #ebebfb; --on-accent: #fff; --on-bar: #fff; --ok: #14713f; --ok-soft: #dff3e7;
  --bad: #b3261e; --bad-soft: #fce8e6; --busy: #1f5fbf; --busy-soft: #e3eefc; --agent: #4a47c9; --agent-soft: #e9e9fb; --server: #0b6e74;
  --function: #4f7a0b; --builtin: #54607a; --hook: #8b2f8f; --model: #3f6fd1; --setup: #7a6a55; --queued: #8a93a6;
  --warn: #8a5300; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d0f14; --band: #0d0f14; --surface: #14171e; --hover: #20242f; --line: #262b36;
  --ink: #e9ebf1; --muted: #a7aebd; --accent: #8f8cff; --accent-soft: #24244a; --on-accent: #0d0f14; --on-bar: #0d0f14; --ok: #5fcf93;
  --ok-soft: #12301f; --bad: #ff8a80; --bad-soft: #3a1715; --busy: #7db2ff; --busy-soft: #142744; --agent: #9b98ff; --agent-soft: #24244a;
  --server: #4fc7cf; --function: #a3d65c; --builtin: #a9b3c9; --hook: #e08be4; --model: #82aaff; --setup: #c4b39a; --queued: #7b8599;
  --warn: #f2b84b; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 14px/20px system-ui, sans-serif; }
#app { display: flex; flex-direction: column; height: 100vh; }
header, .bar { display: flex; flex-wrap: wrap; align-items: center; background: var(--surface); border-bottom: 1px solid var(--line); }
header { gap: 4px 12px; padding: 10px 16px; }
h1 { font-size: 18px; margin: 0; overflow-wrap: anywhere; }
.muted { color: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
.bad { color: var(--bad); }
.mark { margin-left: auto; }
.status { padding: 0 8px; border-radius: 6px; font-size: 12px; background: var(--band); text-transform: capitalize; }
.status.completed { color: var(--ok); background: var(--ok-soft); }
.status.failed { color: var(--bad); background: var(--bad-soft); }
.status.running { color: var(--busy); background: var(--busy-soft); }
.bar { gap: 6px; padding: 8px 16px; }
.bar input { flex: 1 1 160px; min-width: 0; accent-color: var(--accent); }
.clock { font-size: 12px; font-variant-numeric: tabular-nums; min-width: 112px; text-align: right; color: var(--muted); }
button, select { font: inherit; font-size: 13px; color: var(--ink); background: var(--surface); border: 1px solid var(--line);
  border-radius: 6px; height: 28px; padding: 0 8px; cursor: pointer; }
button:hover { background: var(--hover); }
.icon { width: 32px; padding: 0; font-size: 11px; font-variant-emoji: text; }
.play { min-width: 64px; background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 500; }
.play:hover { background: var(--accent); opacity: 0.9; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.lanes { position: relative; overflow: hidden auto; flex: 0 1 auto; max-height: 50vh; min-height: 80px; background: var(--surface); }
.spacer { position: relative; }
canvas { display: block; position: sticky; top: 0; }
.legend { display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 0; padding: 5px 16px; list-style: none; background: var(--surface);
  border: solid var(--line); border-width: 1px 0; color: var(--muted); font-size: 11px; line-height: 16px; }
.legend li { display: flex; align-items: center; gap: 5px; }
i { flex: none; width: 10px; height: 10px; border-radius: 2px; }
main { display: flex; flex: 1 1 0; min-height: 0; }
main section { flex: 1 1 0; min-width: 0; overflow: auto; background: var(--surface); }
.history { border-right: 1px solid var(--line); }
.pane { position: sticky; top: 0; margin: 0; padding: 7px 16px; font-size: 13px; font-weight: 500; background: var(--surface);
  border-bottom: 1px solid var(--line); }
ol { margin: 0; padding: 4px 0; list-style: none; }
li button { display: flex; align-items: center; gap: 8px; width: 100%; padding: 0 16px; border: 0; border-radius: 0; text-align: left;
  background: none; }
li button[aria-current=true] { background: var(--accent-soft); }
li button:focus-visible { outline-offset: -2px; }
.time { flex: none; min-width: 56px; color: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; text-align: right; }
.time.bad { color: var(--bad); }
.name { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.name b { font-weight: 500; }
.history > p { padding: 0 16px; }
.texts { padding: 12px 16px 24px; }
.texts h3, .texts p { margin: 0; overflow-wrap: anywhere; }
.texts h3 { font-size: 15px; }
.texts p { font-size: 12px; }
.texts h4 { font-size: 12px; font-weight: 500; margin: 14px 0 4px; color: var(--muted); }
pre { margin: 0; padding: 8px 10px; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap;
  overflow-wrap: anywhere; font: 12px/18px ui-monospace, monospace; }
@media (max-width: 640px) {
  #app { height: auto; min-height: 100vh; }
  .mark { display: none; }
  .bar input { order: 1; flex-basis: 100%; }
  .clock { flex: 1; }
  main { flex-direction: column-reverse; justify-content: flex-end; }
  main section { flex: none; }
  .history { border: 0; border-top: 1px solid var(--line); max-height: 60vh; }
}
`;
