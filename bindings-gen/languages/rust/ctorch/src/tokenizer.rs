//! Texts and tokens: what the generated methods leave out, which is what takes texts with their lengths, and lists.

use std::os::raw::c_char;

use crate::error::{check, Result};
use crate::support::{opaque_handle, sys};
use crate::texts::{c_string, c_strings};
use crate::{DecodeStream, Encoding, EncodingBatch, Reader, Tensor, Tiktoken, Tokenizer};

opaque_handle!(DecodeStream);
opaque_handle!(Encoding);
opaque_handle!(EncodingBatch);
opaque_handle!(Tiktoken);
opaque_handle!(Tokenizer);

fn start(text: &str) -> *const c_char {
    text.as_ptr().cast()
}

impl Tokenizer {
    /// Read a tokenizer from bytes; [`Tokenizer::open_file`] reads it from a file.
    ///
    /// C: `ctorch_tokenizer_open`.
    pub fn from_bytes(data: impl Into<Vec<u8>>) -> Result<Tokenizer> {
        Tokenizer::open(&Reader::from_bytes(data)?)
    }

    /// Encode a text.
    ///
    /// C: `ctorch_tokenizer_encode`.
    pub fn encode(&self, text: &str, add_special_tokens: bool) -> Result<Encoding> {
        self.encode_with(text, (std::ptr::null(), 0), add_special_tokens)
    }

    /// Encode a pair of texts.
    ///
    /// C: `ctorch_tokenizer_encode`.
    pub fn encode_pair(&self, text: &str, pair: &str, add_special_tokens: bool) -> Result<Encoding> {
        self.encode_with(text, (start(pair), pair.len()), add_special_tokens)
    }

    fn encode_with(&self, text: &str, pair: (*const c_char, usize), add_special_tokens: bool) -> Result<Encoding> {
        let mut out = std::ptr::null_mut();
        let (text, len) = (start(text), text.len());
        check(unsafe {
            sys::ctorch_tokenizer_encode(&mut out, self.0, text, len, pair.0, pair.1, add_special_tokens)
        })?;
        Ok(Encoding(out))
    }

    /// Encode a text to its ids alone, a tensor of int64.
    ///
    /// C: `ctorch_tokenizer_encode_tensor`.
    pub fn encode_tensor(&self, text: &str, add_special_tokens: bool) -> Result<Tensor> {
        let mut out = std::ptr::null_mut();
        check(unsafe {
            sys::ctorch_tokenizer_encode_tensor(&mut out, self.0, start(text), text.len(), add_special_tokens)
        })?;
        Ok(Tensor(out))
    }

    /// The id of a token; an error of kind `INDEX` if there is none.
    ///
    /// C: `ctorch_tokenizer_token_to_id`.
    pub fn token_to_id(&self, token: &str) -> Result<i64> {
        let mut out = 0;
        check(unsafe { sys::ctorch_tokenizer_token_to_id(&mut out, self.0, start(token), token.len()) })?;
        Ok(out)
    }
}

impl Encoding {
    /// A number for each token: "ids", "type_ids", "word_ids", "sequence_ids", "attention_mask", "special_tokens_mask",
    /// "starts", "ends", "byte_starts" or "byte_ends"; -1 is none.
    ///
    /// C: `ctorch_encoding_column`.
    pub fn column(&self, name: &str) -> Result<&[i64]> {
        let name = c_string(name)?;
        let (mut column, mut len) = (std::ptr::null(), 0);
        check(unsafe { sys::ctorch_encoding_column(&mut column, &mut len, self.0, name.as_ptr()) })?;
        Ok(if len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(column, len) } })
    }

    /// The ids of the tokens.
    pub fn ids(&self) -> Result<&[i64]> {
        self.column("ids")
    }

    /// The texts of the tokens.
    ///
    /// C: `ctorch_encoding_token`.
    pub fn tokens(&self) -> Result<Vec<&str>> {
        (0..self.len()).map(|index| self.token(index)).collect()
    }

    fn token(&self, index: usize) -> Result<&str> {
        let (mut text, mut len) = (std::ptr::null(), 0);
        check(unsafe { sys::ctorch_encoding_token(&mut text, &mut len, self.0, index) })?;
        if len == 0 {
            return Ok("");
        }
        let bytes = unsafe { std::slice::from_raw_parts(text.cast(), len) };
        Ok(std::str::from_utf8(bytes).unwrap_or(""))
    }

    /// Where each token stands in its text, in bytes: `&text[first..last]`.
    pub fn offsets(&self) -> Result<Vec<(usize, usize)>> {
        self.between("byte_starts", "byte_ends")
    }

    /// The same in characters, as Python counts.
    pub fn char_offsets(&self) -> Result<Vec<(usize, usize)>> {
        self.between("starts", "ends")
    }

    fn between(&self, starts: &str, ends: &str) -> Result<Vec<(usize, usize)>> {
        let pairs = self.column(starts)?.iter().zip(self.column(ends)?);
        Ok(pairs.map(|(first, last)| (*first as usize, *last as usize)).collect())
    }
}

impl EncodingBatch {
    /// All encodings.
    pub fn encodings(&self) -> Result<Vec<Encoding>> {
        (0..self.len()).map(|index| self.at(index)).collect()
    }
}

impl Tiktoken {
    /// Encode a text in which nothing is special.
    ///
    /// C: `ctorch_tiktoken_encode_ordinary`.
    pub fn encode_ordinary(&self, text: &str) -> Result<Vec<i64>> {
        let mut out = std::ptr::null_mut();
        check(unsafe { sys::ctorch_tiktoken_encode_ordinary(&mut out, self.0, start(text), text.len()) })?;
        Tensor(out).to_vec()
    }

    /// Encode a text. Special tokens that are allowed become their ids, and those that are disallowed are errors; "all"
    /// alone stands for all.
    ///
    /// C: `ctorch_tiktoken_encode`.
    pub fn encode(&self, text: &str, allowed: &[&str], disallowed: &[&str]) -> Result<Vec<i64>> {
        let (allowed, disallowed) = (c_strings(allowed)?, c_strings(disallowed)?);
        let mut out = std::ptr::null_mut();
        check(unsafe {
            sys::ctorch_tiktoken_encode(
                &mut out,
                self.0,
                start(text),
                text.len(),
                allowed.as_ptr(),
                allowed.len(),
                disallowed.as_ptr(),
                disallowed.len(),
            )
        })?;
        Tensor(out).to_vec()
    }
}
