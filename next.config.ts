import type { NextConfig } from 'next';
import { PHASE_DEVELOPMENT_SERVER } from 'next/constants';

const shared: NextConfig = {
  serverExternalPackages: [
    '@dbos-inc/dbos-sdk',
    'pg',
    '@prisma/client',
    '@prisma/adapter-pg',
    'pino',
    'esbuild',
    'better-auth',
  ],
  poweredByHeader: false,
  reactStrictMode: true,
  // The address printed at start; development else accepts only `localhost`.
  allowedDevOrigins: ['127.0.0.1'],
  devIndicators: false,
  // `npm run typecheck` checks them. Without it a newcomer waits less for the first page.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // What the editor saves goes through a server action; the proxy reads its body first. As for the HTTP API: 25 MiB.
    serverActions: { bodySizeLimit: '25mb' },
    proxyClientMaxBodySize: '26mb',
  },
};

/** Node loads these on the server, which takes less time than to compile them for the first page. */
const compiledForBuildOnly = ['fflate', 'yaml', 'zod'];

export default function config(phase: string): NextConfig {
  if (phase !== PHASE_DEVELOPMENT_SERVER) return shared;
  return {
    ...shared,
    serverExternalPackages: [...(shared.serverExternalPackages ?? []), ...compiledForBuildOnly],
  };
}
