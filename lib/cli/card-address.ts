import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { CommandEnv } from '@/lib/server/command-env';
import { writeFileSafely } from '@/lib/server/write-file-safely';
import { isThisMachine } from '@/lib/tools/mcp/address-guard';
import { ownAddresses } from '@/lib/tools/mcp/own-addresses';
import { createTextReader } from '@/lib/tools/urls/text-reader';

type Env = Pick<CommandEnv, 'dataFolder' | 'allowPrivateUrls' | 'webPort' | 'databaseUrl'>;

/** True for `https://…` and the like in place of a folder. */
export function isAddress(given: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(given);
}

/**
 * Returns the folder that somebody named. A card at an address is read, under the rules for texts at addresses (docs/mcp.md), and put
 * into a folder of its own in the data folder, whose name depends on the address alone. Throws an Error with a sentence.
 */
export async function folderOf(given: string, env: Env): Promise<string> {
  if (!isAddress(given)) return given;
  const name = cardNameOf(given);
  const text = await readCard(given, env);
  const folder = path.join(addressFolder(env), createHash('sha256').update(given).digest('hex').slice(0, 40));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  writeFileSafely(path.join(folder, name), text);
  return folder;
}

/** True for the folder of a card from an address. Such a card is from another machine, and nobody has looked at it yet. */
export function isFromAddress(folder: string, env: Pick<CommandEnv, 'dataFolder'>): boolean {
  return path.resolve(folder).startsWith(path.resolve(addressFolder(env)) + path.sep);
}

function addressFolder({ dataFolder }: Pick<CommandEnv, 'dataFolder'>): string {
  return path.join(dataFolder, 'cards-of-addresses');
}

function cardNameOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined) throw new Error(`'${given}' is no address. Check it.`);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisMachine(url.hostname))) {
    throw new Error(`'${given}' cannot be read. A card is read at an https address; download it, or name its folder.`);
  }
  const name = decodeName(url.pathname.split('/').at(-1) ?? '');
  if (/^[\w][\w .-]{0,120}\.(?:md|markdown|yaml|yml)$/i.test(name)) return name;
  throw new Error(`'${given}' is no address of a card. It must end in .md, .yaml or .yml; name each card by itself.`);
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function readCard(address: string, { allowPrivateUrls, webPort, databaseUrl }: Env): Promise<string> {
  const reader = createTextReader({ allowPrivateUrls, own: await ownAddresses({ webPort, databaseUrl }) });
  try {
    const text = await reader.read(address, { signal: new AbortController().signal, namedBy: undefined });
    if (!text.ok) {
      throw new Error(
        `The card at ${address} cannot be read: ${text.error}. Check the address, or download the card and name its folder.`,
      );
    }
    if (/^\s*<(?:!doctype|html)/i.test(text.value)) {
      throw new Error(`The server answers ${address} with a web page. Name the address of the text itself.`);
    }
    return text.value;
  } finally {
    reader.close();
  }
}
