/** The fact that tells the settings page the mail server of the workers, without its password. */
export const mailServerKey = 'notify-mail-server';
