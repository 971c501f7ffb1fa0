import { anyQuery } from '@/app/api/query';
import { respond } from '@/app/api/respond';
import { AppError } from '@/lib/base/app-error';

const nothing = respond(anyQuery, async (request) => {
  throw new AppError('not_found', `There is no ${new URL(request.url).pathname}. See docs/http-api.md.`);
});

export { nothing as DELETE, nothing as GET, nothing as PATCH, nothing as POST, nothing as PUT };
