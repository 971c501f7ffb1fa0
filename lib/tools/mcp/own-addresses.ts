import { lookup } from 'node:dns/promises';
import { type BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Client } from 'pg';
import { inList, listOf, mayReachThisMachine, readings } from './address-kinds';

/** A port that Callboard itself uses. Projects can never call it, even if an operator allows the address. */
export interface OwnAddress {
  /** Completes a sentence, such as "is Callboard itself". */
  readonly what: string;
  readonly port: number;
  /** The host name, in lower case. */
  readonly host: string | undefined;
  /** True for each IP address of the host. */
  has(address: string): boolean;
}

/** Returns the port of the app, and the host and port of its database. Resolves the host of the database once. */
export async function ownAddresses(from: {
  readonly webPort?: number | undefined;
  /** Where the app listens, if that is not loopback. */
  readonly webHost?: string | undefined;
  readonly databaseUrl?: string | undefined;
}): Promise<readonly OwnAddress[]> {
  const { webPort, webHost } = from;
  const web = webPort === undefined ? [] : [ownPort('Callboard itself', webPort, webHost !== undefined)];
  return [...web, ...(from.databaseUrl === undefined ? [] : await databaseAddress(from.databaseUrl))];
}

/** Describes a port of this machine, at any of its loopback addresses, or with `everywhere` at all its addresses. */
export function ownPort(what: string, port: number, everywhere = false): OwnAddress {
  if (!everywhere) return { what, port, host: undefined, has: mayReachThisMachine };
  const mine = addressesOfThisMachine();
  const has = (address: string) => mayReachThisMachine(address) || readings(address).some((one) => inList(mine, one));
  return { what, port, host: undefined, has };
}

function addressesOfThisMachine(): BlockList {
  return listOf(
    Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .map(({ address }) => address),
  );
}

async function databaseAddress(databaseUrl: string): Promise<readonly OwnAddress[]> {
  // The client reads the parameters of the URL and PGHOST. It does not connect.
  const client = new Client({ connectionString: databaseUrl });
  const { port } = client;
  const host = client.host.replace(/^\[|\]$/g, '').toLowerCase();
  // The host is a path, so the database is reached through a Unix socket.
  if (host.startsWith('/')) return [];
  const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
  const mine = addressesOfThisMachine();
  const there = listOf(found.map(({ address }) => address));
  const isHere = found.some(({ address }) => mayReachThisMachine(address) || inList(mine, address));
  // A local server usually listens on all addresses of the machine.
  const has = (address: string) =>
    readings(address).some((one) => inList(there, one) || (isHere && inList(mine, one))) ||
    (isHere && mayReachThisMachine(address));
  return [{ what: "Callboard's database", port, host, has }];
}
