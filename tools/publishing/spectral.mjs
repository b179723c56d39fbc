/** Spectral's rules for our OpenAPI documents. A comment explains each rule that is off or only a warning. */
import { oas } from "@stoplight/spectral-rulesets";

export const ruleset = {
  extends: [[oas, "all"]],
  rules: {
    // OpenAPI 3.1 allows `identifier` or `url`, and we give the identifier.
    "license-url": "off",
    // The tags are in the order in which new users need them.
    "openapi-tags-alphabetical": "off",
    // Anyone can run the service, so the document cannot name the person to contact.
    "info-contact": "warn",
  },
};
