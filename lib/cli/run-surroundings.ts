import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import { systemClock } from '@/lib/jobs/system-clock';
import { hiddenValues } from '@/lib/runtime/record/redact-events';
import type { CommandEnv } from '@/lib/server/command-env';
import { hashBlob } from '@/lib/store/hash';
import { createAddressGuard } from '@/lib/tools/mcp/address-guard';
import { ownAddresses } from '@/lib/tools/mcp/own-addresses';
import { createMcpPool } from '@/lib/tools/mcp/pool';
import { createTextReader } from '@/lib/tools/urls/text-reader';
import { setOwnPrices } from '@/lib/trace/own-prices';
import { askTrust } from './ask-trust';
import { isFromAddress } from './card-address';
import { openTrustFile } from './trust-file';

/** Asks for confirmation in a terminal. Without one, a card from an address must have been confirmed before. */
export async function mayStart(root: string, folder: Folder, parsed: ParsedFolder, env: CommandEnv): Promise<boolean> {
  const terminal = { input: process.stdin, output: process.stderr };
  const file = openTrustFile(env.dataFolder);
  return await askTrust(root, listCapabilities(folder, parsed, hashBlob), {
    terminal,
    file,
    now: new Date(),
    isFromAddress: isFromAddress(root, env),
  });
}

/** What a run needs that no folder says, the prices of its models too. Close `urls` and `mcp` at the end. */
export async function openSurroundings(env: CommandEnv) {
  const { variables, databaseUrl, webPort, allowPrivateUrls, models, bound } = env;
  const projectEnv = { ...env.projectEnv, ...env.boundEnv };
  setOwnPrices(env.prices);
  const own = await ownAddresses({ webPort, databaseUrl });
  return {
    clock: systemClock,
    modelEnv: { variables: models, projectEnv, bound, hasValues: true },
    guard: createAddressGuard(allowPrivateUrls, { own }),
    mcp: createMcpPool({ clock: systemClock, env: variables, projectEnv, allowPrivateUrls, own, log: () => {} }),
    urls: createTextReader({ allowPrivateUrls, own }),
    python: env.python,
    shellEnv: env.shell ? variables : undefined,
    hidden: hiddenValues({ models, databaseUrl: variables.DATABASE_URL, projectEnv, env: variables }),
  };
}
