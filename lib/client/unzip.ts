import { type UnzipFileInfo, unzip } from 'fflate';

/** Unpacks a zip. `isWanted` chooses among its entries. Rejects if the bytes are no zip. */
export function unzipped(
  bytes: Uint8Array,
  isWanted: (entry: UnzipFileInfo) => boolean = () => true,
): Promise<Record<string, Uint8Array>> {
  return new Promise((resolve, reject) => {
    unzip(bytes, { filter: isWanted }, (error, files) => (error === null ? resolve(files) : reject(error)));
  });
}
