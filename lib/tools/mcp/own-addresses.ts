import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Client } from 'pg';
import { inList, listOf, mayReachThisMachine, readings } from './address-kinds';

/** A port that Callboard itself uses: nothing that a project names is called there, whatever an operator allows. */
export interface OwnAddress {
  /** As the end of a sentence: "is Callboard itself". */
  readonly what: string;
  readonly port: number;
  /** The name it is known by, in lower case. */
  readonly host: string | undefined;
  /** True for the IP addresses that it can be reached at. */
  has(address: string): boolean;
}

/** The app's own port, and the host and port of its database. Asks the system's resolver for the latter, once. */
export async function ownAddresses(from: {
  readonly webPort?: number | undefined;
  readonly databaseUrl?: string | undefined;
}): Promise<readonly OwnAddress[]> {
  const web = from.webPort === undefined ? [] : [ownPort('Callboard itself', from.webPort)];
  return [...web, ...(from.databaseUrl === undefined ? [] : await databaseAddress(from.databaseUrl))];
}

/** A port of this machine, at any of its loopback addresses. */
export function ownPort(what: string, port: number): OwnAddress {
  return { what, port, host: undefined, has: mayReachThisMachine };
}

async function databaseAddress(databaseUrl: string): Promise<readonly OwnAddress[]> {
  // The client's own reading: parameters and PGHOST count too. Nothing is connected here.
  const client = new Client({ connectionString: databaseUrl });
  const { port } = client;
  const host = client.host.replace(/^\[|\]$/g, '').toLowerCase();
  // A socket in the file system.
  if (host.startsWith('/')) return [];
  const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
  const mine = listOf(
    Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .map(({ address }) => address),
  );
  const there = listOf(found.map(({ address }) => address));
  const isHere = found.some(({ address }) => mayReachThisMachine(address) || inList(mine, address));
  // A server of this machine mostly listens at all its addresses.
  const has = (address: string) =>
    readings(address).some((one) => inList(there, one) || (isHere && inList(mine, one))) ||
    (isHere && mayReachThisMachine(address));
  return [{ what: "Callboard's database", port, host, has }];
}
