-- A provider says who somebody is. Its tokens are of no use afterwards.
UPDATE auth_account SET "accessToken" = NULL, "refreshToken" = NULL, "idToken" = NULL;
