/** Texts of the matrix of roles. */
export const roleWords = {
  can: "What a member may do",
  canYes: "Yes",
  canNo: "No",
  capabilities: [
    { needs: "viewer", says: "See settings, logs, analytics and usage" },
    { needs: "viewer", says: "Try network rules" },
    { needs: "developer", says: "Create brands and change their settings" },
    { needs: "developer", says: "Create, rotate and revoke API keys" },
    { needs: "developer", says: "Change and test webhooks, and reveal what they sent" },
    { needs: "developer", says: "Read the sandbox’s outbox and move its clock" },
    { needs: "owner", says: "Request production" },
    { needs: "owner", says: "Invite and remove members, and change their roles" },
    { needs: "owner", says: "Rename the account, and require passkeys" },
  ],
};
