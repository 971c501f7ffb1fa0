import { ByteCache } from '@/lib/base/byte-cache';
import type { FileReading } from '@/lib/cards/read/read-file';
import type { KnownReadings } from '@/lib/cards/read-folder';

/** A text takes two bytes a character, and what is read off it about twice that. */
const bytesPerChar = 6;
const bytesPerFile = 1_000;

/** The last reading of each path, the one used longest ago first to go, in about `maxBytes` of memory. */
export function createKnownReadings(maxBytes: number): KnownReadings {
  const known = new ByteCache<string, { readonly text: string; readonly reading: FileReading }>(maxBytes);
  return {
    find(path, text) {
      const last = known.get(path);
      return last?.text === text ? last.reading : undefined;
    },
    keep(path, text, reading) {
      known.set(path, { text, reading }, text.length * bytesPerChar + bytesPerFile);
    },
  };
}
