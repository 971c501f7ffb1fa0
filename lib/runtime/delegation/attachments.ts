import type { Json, JsonObject } from '@/lib/base/json';
import { mediaTypeOf, suffixOf } from '@/lib/base/media-type';
import { err, ok, type Result } from '@/lib/base/result';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import { encodeFile, fileSize } from '@/lib/cards/files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { isSecretFile } from '@/lib/cards/secret-files';
import type { ContentBlock } from '@/lib/runtime/record/messages';

/**
 * What a child may be given with a call. Endings are lower-case and begin with a dot. An empty list of endings allows all.
 */
export interface AttachmentPolicy {
  readonly max: number;
  readonly maxBytes: number;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

const defaultMax = 4;
const defaultMaxBytes = 10_000_000;

/** Returns `undefined` if the delegation takes no attachments; then its tool has no such parameter. */
export function attachmentPolicyOf(options: DelegationOptions): AttachmentPolicy | undefined {
  const { attachments } = options;
  if (!attachments || attachments.max === 0) return undefined;
  return {
    max: attachments.max ?? defaultMax,
    maxBytes: attachments.max_bytes ?? defaultMaxBytes,
    allow: (attachments.allow ?? []).map(normalSuffix),
    deny: (attachments.deny ?? []).map(normalSuffix),
  };
}

/** Adds `attachments` to the tool's parameters. */
export function withAttachments(schema: JsonObject, policy: AttachmentPolicy): JsonObject {
  const { properties } = schema;
  const known = typeof properties === 'object' && properties !== null && !Array.isArray(properties) ? properties : {};
  const kinds = [
    policy.allow.length > 0 ? ` Types: ${policy.allow.join(', ')}.` : '',
    policy.deny.length > 0 ? ` Not: ${policy.deny.join(', ')}.` : '',
  ].join('');
  const most = policy.max < 10 ? ` At most ${policy.max}.` : '';
  const attachments: JsonObject = {
    type: 'array',
    items: { type: 'string' },
    description: `Paths of project files to attach.${kinds}${most}`,
  };
  return { ...schema, properties: { ...known, attachments } };
}

/**
 * Returns the named files as content for the child, or says why the call is refused. Paths are relative to the project's
 * folder. The caller may name any file except those that hold secrets; the policy decides which of them the child accepts.
 */
export function readAttachments(
  folder: Folder,
  policy: AttachmentPolicy | undefined,
  wanted: Json | undefined,
): Result<readonly ContentBlock[], string> {
  if (wanted === undefined || wanted === null || (Array.isArray(wanted) && wanted.length === 0)) return ok([]);
  if (!policy) return err('This agent takes no attachments. Call it without.');
  if (!Array.isArray(wanted)) return err("'attachments' must be a list of paths.");
  if (wanted.length > policy.max) return err(`${wanted.length} attachments are too many; at most ${policy.max}.`);
  const blocks: ContentBlock[] = [];
  let bytes = 0;
  for (const item of wanted) {
    if (typeof item !== 'string') return err("'attachments' must be a list of paths.");
    const file = openFile(folder, item);
    if (!file.ok) return file;
    const refused = suffixProblem(policy, item, file.value.path);
    if (refused) return err(refused);
    bytes += fileSize(file.value.file);
    if (bytes > policy.maxBytes) return err(`The attachments are larger than ${policy.maxBytes} bytes together.`);
    blocks.push(blockOf(file.value.path, file.value.file));
  }
  return ok(blocks);
}

/** Lists the files that a call names, each once. Only for a call that `readAttachments` has accepted. */
export function attachedFiles(
  folder: Folder,
  wanted: Json | undefined,
): readonly { readonly path: string; readonly bytes: number }[] {
  const files = new Map<string, number>();
  for (const item of Array.isArray(wanted) ? wanted : []) {
    const file = typeof item === 'string' ? openFile(folder, item) : undefined;
    if (file?.ok) files.set(file.value.path, fileSize(file.value.file));
  }
  return [...files].map(([path, bytes]) => ({ path, bytes }));
}

function openFile(
  folder: Folder,
  wanted: string,
): Result<{ readonly path: string; readonly file: FolderFile }, string> {
  const refuse = (why: string) => err(`The attachment '${wanted}' ${why}.`);
  if (wanted.trim() === '' || wanted.includes('\0')) return refuse('is no path');
  if (/^([/\\~]|[A-Za-z]:)/.test(wanted)) return refuse('is not relative to the project');
  const parts = wanted.replaceAll('\\', '/').split('/');
  if (parts.includes('..')) return refuse("contains '..'");
  const path = parts.filter((part) => part !== '' && part !== '.').join('/');
  if (isSecretFile(path)) return refuse('holds secrets and cannot be read');
  const file = folder.get(path);
  if (!file) {
    const isDirectory = path === '' || [...folder.keys()].some((other) => other.startsWith(`${path}/`));
    return refuse(isDirectory ? 'is a directory' : 'does not exist');
  }
  return ok({ path, file });
}

function suffixProblem({ allow, deny }: AttachmentPolicy, wanted: string, path: string): string | undefined {
  const suffix = suffixOf(path);
  if (deny.includes(suffix))
    return `The attachment '${wanted}' is of a type that is not allowed: not ${deny.join(', ')}.`;
  if (allow.length > 0 && !allow.includes(suffix)) {
    return `The attachment '${wanted}' is of a type that is not allowed: only ${allow.join(', ')}.`;
  }
  return undefined;
}

function blockOf(path: string, file: FolderFile): ContentBlock {
  const mimeType = mediaTypeOf(path, file.kind === 'text' ? 'text' : 'binary');
  if (file.kind === 'text') return { type: 'resource', uri: path, mimeType, text: file.text };
  const data = base64(encodeFile(file));
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  return { type: 'resource', uri: path, mimeType, blob: data };
}

function normalSuffix(suffix: string): string {
  const lower = suffix.trim().toLowerCase();
  return lower.startsWith('.') ? lower : `.${lower}`;
}

/** The loop goes in chunks: `btoa` takes one character per byte, and spreading a large array would overflow the stack. */
function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  }
  return btoa(binary);
}
