-- The key that signs links in mails follows from the secret key of the installation. It is not in the database any more.
DELETE FROM "Setting" WHERE key = 'answer-link-key';
