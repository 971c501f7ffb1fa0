/** Returns the path of a pasted card in a folder (`''` is the top of the project): its `name`, or `agent.md` without one. */
export function pastedCardPath(text: string, directory = 'agent-cards'): string {
  const name = /^name:\s*["']?([^"'\n\r#]+)/m.exec(text)?.[1]?.trim() ?? '';
  const stem = name.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '');
  return `${directory === '' ? '' : `${directory}/`}${stem || 'agent'}.md`;
}
