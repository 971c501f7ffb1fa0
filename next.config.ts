import type { NextConfig } from 'next';

const config: NextConfig = {
  serverExternalPackages: ['@dbos-inc/dbos-sdk', 'pg', '@prisma/client', '@prisma/adapter-pg', 'pino', 'esbuild'],
  poweredByHeader: false,
  reactStrictMode: true,
  // The address printed at start; development else accepts only `localhost`.
  allowedDevOrigins: ['127.0.0.1'],
  devIndicators: false,
  experimental: {
    // What the editor saves goes through a server action; the proxy reads its body first. As for the HTTP API: 25 MiB.
    serverActions: { bodySizeLimit: '25mb' },
    proxyClientMaxBodySize: '26mb',
  },
};

export default config;
