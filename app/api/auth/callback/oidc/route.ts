import { accountPage } from '@/app/accounts/account-route';
import { finishProviderSignIn } from '@/lib/server/accounts/provider-sign-in';

/** The way back from the provider. It is the only address of better-auth's that is served. */
export const GET = accountPage(async ({ request, store }) => await finishProviderSignIn(store, request));
