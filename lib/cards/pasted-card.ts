/** Returns the path of a pasted card: its `name`, or `agent.md` without one. */
export function pastedCardPath(text: string): string {
  const name = /^name:\s*["']?([^"'\n\r#]+)/m.exec(text)?.[1]?.trim() ?? '';
  const stem = name.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '');
  return `agent-cards/${stem || 'agent'}.md`;
}
