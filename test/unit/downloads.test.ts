import { expect, it } from "vitest";
import { contentDisposition, isNoneMatchHit, reprDigest } from "#interface/http/downloads.ts";

it.each([
  ["iab-300x250.png", "attachment; filename=\"iab-300x250.png\"; filename*=UTF-8''iab-300x250.png"],
  ["été (1).png", "attachment; filename=\"_t_ (1).png\"; filename*=UTF-8''%C3%A9t%C3%A9%20%281%29.png"],
  ['a"b\\c\r\nX: y', "attachment; filename=\"a_b_c__X: y\"; filename*=UTF-8''a%22b%5Cc%0D%0AX%3A%20y"],
  ["\ud800.png", "attachment; filename=\"_.png\"; filename*=UTF-8''%EF%BF%BD.png"],
])("the name %j can neither end the header nor be misread", (fileName, expected) => {
  expect(contentDisposition(fileName)).toBe(expected);
});

it("Repr-Digest has the format of RFC 9530", () => {
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  expect(reprDigest(empty)).toBe("sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:");
});

it.each([
  [undefined, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ["*", true],
  ['"b"', false],
  ["a", false],
  ["", false],
])("If-None-Match %s is compared as in RFC 9110", (header, isHit) => {
  expect(isNoneMatchHit(header, '"a"')).toBe(isHit);
});
