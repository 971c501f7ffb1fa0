import { trimEndOf, trimOf } from '@/lib/base/trim';

/** The prefix of child tools whose delegation does not set a name. */
export type ToolNaming = 'agent__' | 'call_' | 'plain';

const maxLength = 64;
const hashLength = 8;

/**
 * Returns the tool name of a child, which always matches `[A-Za-z0-9_-]{1,64}`. When characters were replaced or the name
 * was too long, eight hex digits of a hash of the original name are added, so that different agents have different names.
 */
export function childToolName(agentName: string, naming: ToolNaming, explicit?: string): string {
  if (explicit !== undefined && explicit.trim() !== '') return safeName('', explicit.trim());
  switch (naming) {
    case 'agent__':
      return safeName('agent__', agentName);
    case 'call_':
      return safeName('call_', agentName, 'lower-case');
    case 'plain':
      return safeName('', agentName);
  }
}

function safeName(prefix: string, original: string, letters?: 'lower-case'): string {
  const spaced = original.trim().replace(/\s+/g, '_');
  let readable = spaced.replace(/[^A-Za-z0-9_-]+/g, '_');
  const lost = readable !== spaced || readable === '';
  if (lost) readable = trimOf(readable, '_') || 'agent';
  if (letters === 'lower-case') readable = readable.toLowerCase();
  if (!lost && prefix.length + readable.length <= maxLength) return prefix + readable;
  const room = maxLength - prefix.length - 1 - hashLength;
  const cut = trimEndOf(readable.slice(0, room), '_') || 'agent';
  return `${prefix}${cut}_${hash32(original)}`;
}

/** Hashes with FNV-1a over UTF-16 units and a final mix, and returns eight hex digits. */
function hash32(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return (hash >>> 0).toString(16).padStart(hashLength, '0');
}
