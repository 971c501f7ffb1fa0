import { LRUCache } from 'lru-cache';
import type { KnownReadings } from '@/lib/cards/project/read-folder';
import type { FileReading } from '@/lib/cards/read/file-reading';

/** The text takes two bytes per character, and its reading about twice that. */
const bytesPerChar = 6;
const bytesPerFile = 1_000;

/** Keeps the last reading of each path, in about `maxBytes` of memory. The least recently used reading is dropped first. */
export function createKnownReadings(maxBytes: number): KnownReadings {
  const known = new LRUCache<string, { readonly text: string; readonly reading: FileReading }>({
    maxSize: maxBytes,
    sizeCalculation: ({ text }) => text.length * bytesPerChar + bytesPerFile,
  });
  return {
    find(path, text) {
      const last = known.get(path);
      return last?.text === text ? last.reading : undefined;
    },
    keep(path, text, reading) {
      known.set(path, { text, reading });
    },
  };
}
