import type { DialectField } from '@/lib/cards/dialects/form/dialect';
import { serversField } from '@/lib/cards/dialects/form/server-entries';

/** The field of `.mcp.json`. Source: code.claude.com/docs/en/mcp, *Environment variable expansion in .mcp.json*. */
export const serverFields: readonly DialectField[] = [
  serversField('mcpServers', () => ({ here: hereVariables, theirs: theirVariables })),
];

/** `${NAME:-default}` of a shell is `${NAME:default}` here. */
function hereVariables(text: string): string {
  return text.replace(/(\$\{[A-Za-z_]\w*:)-/g, '$1');
}

function theirVariables(text: string): string {
  return text.replace(/(\$\{[A-Za-z_]\w*:)/g, '$1-');
}
