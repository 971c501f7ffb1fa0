import { canonicalJson } from '@/lib/base/canonical-json';
import { globMatch } from '@/lib/base/fnmatch';
import type { EpochMs } from '@/lib/base/ids';
import type { Json, JsonObject } from '@/lib/base/json';
import type { Grant } from '@/lib/base/pending';

/** A call that would ask a person. The hashes are those of the question (`PendingQuestion`). */
export interface AskingCall {
  readonly tool: string;
  readonly serverName: string | undefined;
  readonly agent: string;
  readonly schemaHash: string;
  readonly cardHash: string;
  readonly argumentsHash: string;
  /** The arguments before redaction. */
  readonly arguments: JsonObject;
}

/**
 * Finds a remembered approval that covers a call. It holds for the tool, the agent and the arguments that it was given for: it
 * ends when the tool's description or schema, the agent's card or an argument changes, and at its expiry. `grants` are those
 * that reach this run.
 */
export function matchGrant(grants: readonly Grant[], call: AskingCall, now: EpochMs): Grant | undefined {
  return grants.find(
    (grant) =>
      grant.tool === call.tool &&
      grant.serverName === call.serverName &&
      grant.schemaHash === call.schemaHash &&
      (grant.agent === undefined || grant.agent === call.agent) &&
      (grant.cardHash === undefined || grant.cardHash === call.cardHash) &&
      (grant.expiresAt === undefined || now < grant.expiresAt) &&
      (grant.argumentsHash === undefined || grant.argumentsHash === call.argumentsHash) &&
      fitsPatterns(grant.patterns, call.arguments),
  );
}

/** True if each named member is there and fits. Only `*` is special: it stands for any characters. */
function fitsPatterns(patterns: Grant['patterns'], args: JsonObject): boolean {
  return Object.entries(patterns ?? {}).every(([member, pattern]) => {
    const value = Object.hasOwn(args, member) ? args[member] : undefined;
    return value !== undefined && globMatch(pattern.replaceAll(/[?[]/g, '[$&]'), textOf(value));
  });
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}
