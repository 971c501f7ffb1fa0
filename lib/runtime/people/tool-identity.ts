import { type Json, parseJson } from '@/lib/base/json';
import { oncePer } from '@/lib/base/once-per';
import { own } from '@/lib/base/own';
import type { PendingTool } from '@/lib/base/pending';
import type { Card } from '@/lib/cards/card';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import { argumentsHashOf } from './arguments-hash';

/**
 * Returns what an approval is bound to beside the arguments. The hash covers the tool's description and schema, and what
 * answers a call of it: the server's entry in the config, or the card of the child. Another server behind a name, or a child
 * with other tools, is another tool.
 */
export function pendingToolOf(tool: ToolDescriptor, config: FastAgentConfig, child?: Card): PendingTool {
  const { name, source, serverName, remoteName, description, inputSchema } = tool;
  const server = serverName === undefined ? undefined : own(config.servers, serverName);
  const behind: Json = child ? cardHashOf(child) : (server?.raw ?? null);
  return {
    name,
    source,
    ...(serverName !== undefined && { serverName }),
    ...(remoteName !== undefined && { remoteName }),
    schemaHash: argumentsHashOf([description, inputSchema, behind]),
  };
}

/** Returns a hash over all that a card says. */
export const cardHashOf = oncePer((card: Card): string => argumentsHashOf(parseJson(JSON.stringify(card)) ?? null));
