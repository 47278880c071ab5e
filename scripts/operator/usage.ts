/** What --help prints, and whoever typed what cannot be understood. */
export const USAGE = `Usage: npm run workspace -- <command> [options]

  create      --name TEXT [--credits N | --quota N --period day|month | --unlimited]
              Makes a workspace and its first API key. The key is shown once.
  grant       --workspace ID --credits N [--reference TEXT] [--description TEXT]
              Adds credits. The same reference (an invoice number, say) is granted once only.
  set-access  --workspace ID (--quota N --period day|month | --unlimited | --credits-only)
              What the workspace pays with from now on. Its credits stay; a new quota begins whole.
  add-key     --workspace ID --name TEXT [--scopes SCOPE,SCOPE]
              Makes another API key, for all scopes unless some are named. It is shown once.
  failed-jobs --since TIME
              Jobs that the service failed since then, and nobody drew anew. TIME is RFC 3339.
  redraw-job  --workspace ID --job ID
              Asks for such a job once more, as a new job that is paid like any other. The sweep sends it.
  cancel-job  --workspace ID --job ID
              Cancels a queued job and gives its cost back, as its customer could.
  show        --workspace ID
              Balance, keys and the latest ledger events.
  suspend     --workspace ID
              Its keys open nothing any more (reads within ten seconds), and its people only read. Jobs it has
              queued are drawn, unless they are cancelled.
  resume      --workspace ID
              Takes that back.
  revoke-key  --workspace ID --key ID [--cascade]
              The key spends and writes nothing from now on, and reads nothing within ten seconds. Shows the live
              keys that it made; --cascade revokes them as well.

  show-account   --email ADDRESS
                 How a person signs in, their sessions and workspaces, and what operators did to the account.
  reset-password --email ADDRESS
                 Gives a person who lost their password a new one, shown once, and ends all their sessions.
                 Make sure who asks: whoever has it has the account. Keys of their workspaces live on.
  end-sessions   --email ADDRESS
                 Ends all sessions of a person, who may sign in again.

  --json             one line of JSON on standard output
  --persist-to DIR   state folder of \`wrangler dev\` (default .wrangler/state)
  --env-file FILE    where KEY_PEPPER is (default .dev.vars)
  --remote           the deployed database; KEY_PEPPER then comes from the environment variable
                     CREATIVE_PACKS_KEY_PEPPER, or from --env-file
  --config FILE      wrangler configuration that names the database (default wrangler.toml)

Exit codes: 0 done, 1 refused or failed, 2 these arguments were not understood.
`;
