import { createGunzip } from 'node:zlib';
import { readBytes } from '@/app/api/read-body';
import { AppError } from '@/lib/base/app-error';

/** Reads the body of a git client, which compresses long ones. Both the sent bytes and what they unpack to end at the limit. */
export async function readGitBody(request: Request, limit: number): Promise<Uint8Array> {
  const bytes = await readBytes(request, limit);
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding === 'identity') return bytes;
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new AppError('unsupported', `The body is compressed with ${encoding.slice(0, 40)}. Send it with gzip.`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  const unpacked = createGunzip();
  unpacked.end(bytes);
  try {
    for await (const part of unpacked) {
      if (!(part instanceof Uint8Array)) continue;
      size += part.length;
      if (size > limit) {
        throw new AppError('too_large', 'The request is too large once it is unpacked. Push fewer commits at once.');
      }
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('bad_request', 'The body is not gzip, or is cut off. Send it again.');
  }
  return Buffer.concat(parts);
}
