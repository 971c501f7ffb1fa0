import type { EpochMs, ProjectId } from './ids';
import type { JsonObject } from './json';
import { sha256 } from './sha256';

/** What the audit log records. docs/audit.md says when, and what the body of each has. */
export const auditActions = [
  'alert.added',
  'alert.changed',
  'alert.removed',
  'audit.exported',
  'backup.made',
  'backup.restored',
  'capabilities.confirmed',
  'capabilities.needed',
  'command.approved',
  'command.asked',
  'command.denied',
  'command.revoked',
  'conversation.deleted',
  'draft.deleted',
  'gate.overridden',
  'grant.given',
  'grant.revoked',
  'mirror.failed',
  'mirror.pushed',
  'mirror.removed',
  'mirror.set',
  'notice_line.set',
  'notice_target.added',
  'notice_target.changed',
  'notice_target.removed',
  'installation.project_makers',
  'installation.second_factor',
  'invitation.accepted',
  'invitation.made',
  'invitation.revoked',
  'item.answered',
  'limits.changed',
  'member.removed',
  'member.set',
  'person.activated',
  'person.added',
  'person.administrator_changed',
  'person.deactivated',
  'person.identity_forgotten',
  'person.identity_linked',
  'person.passkey_added',
  'person.passkey_removed',
  'person.password_changed',
  'person.reset_link_made',
  'person.second_factor_changed',
  'person.sessions_revoked',
  'person.sign_in_failed',
  'person.signed_in',
  'person.signed_out',
  'policy.removed',
  'policy.set',
  'project.created',
  'project.deleted',
  'project.exported',
  'project.renamed',
  'retention.changed',
  'review.approved',
  'review.changes_requested',
  'review.opened',
  'review.policy_set',
  'review.suggestion_applied',
  'review.verdict_withdrawn',
  'review.version_added',
  'review.withdrawn',
  'revision.promoted',
  'revision.published',
  'revision.rolled_back',
  'run.exported',
  'runs.binned',
  'runs.deleted',
  'runs.exported',
  'runs.restored',
  'secret.removed',
  'secret.set',
  'secret.tested',
  'secret.used',
  'secret_key.replaced',
  'secrets.sealed_anew',
  'server.signed_in',
  'server.signed_out',
  'session.exported',
  'share.created',
  'share.revoked',
  'token.created',
  'token.revoked',
  'tool.tried',
  'trigger.added',
  'trigger.changed',
  'trigger.removed',
  'trigger.stopped',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** An entry of the audit log. Numbers begin with 1 and have no gaps. */
export interface AuditEntry {
  readonly seq: number;
  readonly at: EpochMs;
  readonly actor: string;
  readonly via: string;
  readonly action: string;
  /** What it was done to: the id of a project, a run, an item, … */
  readonly object: string;
  readonly project: ProjectId | null;
  /** JSON text. */
  readonly body: string;
  /** The hash of the entry before; 64 zeros in the first. */
  readonly prev: string;
  readonly hash: string;
}

/** What a caller gives. The database adds the number, the time and the hashes. */
export interface NewAuditEntry {
  readonly actor: { readonly by: string; readonly via: string };
  readonly action: AuditAction;
  readonly object: string;
  readonly project?: ProjectId | undefined;
  readonly body?: JsonObject;
}

/** Where a chain of hashes begins. */
export const beforeFirst = '0'.repeat(64);

/**
 * Computes the hash that an entry must have, by the rule of docs/audit.md: the SHA-256 of its fields, each after its length in bytes
 * and a colon. The function `audit_hash` of the database computes the same.
 */
export function auditHash(entry: Omit<AuditEntry, 'hash'>): string {
  const { prev, seq, at, actor, via, action, object, project, body } = entry;
  const encoder = new TextEncoder();
  const fields = [prev, `${seq}`, `${at}`, actor, via, action, object, project ?? '', body];
  return sha256(encoder.encode(fields.map((field) => `${encoder.encode(field).length}:${field}`).join('')));
}

/** Checks entries that follow each other. `fault` says which entry is wrong, and how. */
export class AuditChain {
  private last: Pick<AuditEntry, 'seq' | 'hash'> | undefined;
  private count = 0;

  /** Returns what is wrong with the next entry, or `undefined`. The first entry may have any number, for a part of the log. */
  add(entry: AuditEntry): string | undefined {
    const { last } = this;
    this.last = entry;
    this.count += 1;
    if (last !== undefined && entry.seq !== last.seq + 1) {
      return `Entry ${entry.seq} follows entry ${last.seq}. Entries between them are missing.`;
    }
    if (entry.prev !== (last?.hash ?? (entry.seq === 1 ? beforeFirst : entry.prev))) {
      return `Entry ${entry.seq} does not continue the entry before it. One of them was changed.`;
    }
    return entry.hash === auditHash(entry) ? undefined : `Entry ${entry.seq} was changed: its hash does not fit.`;
  }

  /** How many entries were added, and the last one. */
  get head(): { readonly count: number; readonly seq: number; readonly hash: string } {
    return { count: this.count, seq: this.last?.seq ?? 0, hash: this.last?.hash ?? beforeFirst };
  }
}
