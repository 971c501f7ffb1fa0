/** The look of the replay page, in light and dark. Kinds have the hues of the app. */
export const replayStyle = `
:root { color-scheme: light dark; --ground: #f7f7f8; --surface: #fff; --line: #e3e3e8; --ink: #1b1b20; --muted: #62626c;
  --accent: #4f46e5; --instance: #d9d9e3; --model: #6d8ff0; --tool: #46a758; --hook: #c47ae0; --setup: #b9a26a; --queued: #c9c9d2;
  --decision: #e0a030; --bad: #d13b3b; }
@media (prefers-color-scheme: dark) { :root { --ground: #131316; --surface: #1b1b20; --line: #2e2e36; --ink: #ececf1; --muted: #a0a0ab;
  --accent: #8b85ff; --instance: #3a3a45; --queued: #33333c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
#app { display: flex; flex-direction: column; height: 100vh; }
header { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: baseline; padding: 10px 16px; background: var(--surface);
  border-bottom: 1px solid var(--line); }
h1 { font-size: 16px; margin: 0; overflow-wrap: anywhere; }
.muted { color: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
.bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 8px 16px; background: var(--surface);
  border-bottom: 1px solid var(--line); }
.bar input { flex: 1; min-width: 140px; accent-color: var(--accent); }
button, select { font: inherit; font-size: 13px; color: var(--ink); background: var(--surface); border: 1px solid var(--line);
  border-radius: 6px; padding: 3px 10px; cursor: pointer; }
button:hover { background: var(--ground); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.lanes { overflow: auto; max-height: 50vh; background: var(--surface); border-bottom: 1px solid var(--line); }
canvas { display: block; }
main { display: flex; flex: 1; min-height: 0; }
.history { flex: 1; overflow: auto; border-right: 1px solid var(--line); margin: 0; padding: 4px 0; list-style: none; }
.history button { display: flex; gap: 10px; width: 100%; border: 0; border-radius: 0; text-align: left; background: none; }
.history button[aria-current=true] { background: var(--instance); }
.history span:nth-child(2) { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.detail { flex: 1; overflow: auto; padding: 12px 16px; }
.detail h2 { font-size: 14px; margin: 0 0 4px; overflow-wrap: anywhere; }
.detail h3 { font-size: 12px; margin: 12px 0 4px; color: var(--muted); }
pre { margin: 0; padding: 8px 10px; background: var(--surface); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap;
  overflow-wrap: anywhere; font: 12px/1.5 ui-monospace, monospace; }
@media (max-width: 640px) { main { flex-direction: column; } .history { border-right: 0; } }
`;
