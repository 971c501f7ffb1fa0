import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // Read here for `npx prisma migrate deploy` on a server of one's own; Callboard itself does not need it.
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://callboard@127.0.0.1/callboard' },
});
