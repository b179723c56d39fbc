import { words } from "../words.ts";
import { type Asked, nameOf } from "./request-tree.ts";

const say = words.requests.preview;
/** Values of a sandbox person, masked as in the wallet. */
const samples: Partial<Record<Asked["type"], string>> = {
  FullNameCredential: "Richard Harrison Hendricks",
  FirstNameCredential: "Richard",
  MiddleNameCredential: "Harrison",
  LastNameCredential: "Hendricks",
  PhoneCredential: "(212) 555-0010",
  EmailCredential: "richard@piedpiper.net",
  AddressCredential: "5320 Newell Rd, Palo Alto, CA 94303",
  Line1Credential: "5320 Newell Rd",
  CityCredential: "Palo Alto",
  StateCredential: "CA",
  ZipCodeCredential: "94303",
  CountryCredential: "US",
  BirthDateCredential: "••/••/1989",
  SsnCredential: "•••-••-6789",
};

/** Previews what people will review, in the order of the requests, before they are saved. */
export function RequestsPreview({ tree }: { tree: readonly Asked[] }) {
  return (
    <aside class="preview" aria-label={say.title}>
      <p class="side-title">{say.title}</p>
      <ul class="lines">
        {tree.map((asked) => (
          <li key={asked.type}>
            <div>
              <strong>{nameOf(asked.type)}</strong>
              <p class="quiet">{samples[asked.type] ?? (asked.allowUserInput === false ? say.ifKnown : say.typed)}</p>
              {asked.description === undefined ? null : <p class="quiet">{asked.description}</p>}
            </div>
            <span class="tag">{say.shares[asked.mandatory ?? "no"]}</span>
          </li>
        ))}
      </ul>
      {tree.length === 0 ? <p class="quiet">{say.nothing}</p> : null}
      <p class="quiet">{say.note}</p>
    </aside>
  );
}
