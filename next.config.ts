import type { NextConfig } from 'next';

const config: NextConfig = {
  serverExternalPackages: ['@dbos-inc/dbos-sdk', 'pg', '@prisma/client', '@prisma/adapter-pg', 'pino'],
  poweredByHeader: false,
  reactStrictMode: true,
};

export default config;
