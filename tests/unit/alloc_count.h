/* tests/unit/alloc_count.h: how often memory was asked for, by anything in this program and its
 * libraries. For one file of a test program, which must call nothing else that allocates while it
 * counts. Under the address sanitizer, whose functions these are then, by its own hook. */
#ifndef TESTS_ALLOC_COUNT_H
#define TESTS_ALLOC_COUNT_H

#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ALLOC_COUNT_HOOK 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ALLOC_COUNT_HOOK 1
#endif

static long alloc_counted;

#if defined(ALLOC_COUNT_HOOK)

int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));

static void alloc_count_one(const volatile void *memory, size_t size)
{
    (void)memory;
    (void)size;
    alloc_counted++;
}

static void alloc_count_free(const volatile void *memory)
{
    (void)memory;
}

static long alloc_count(void)
{
    static int installed;

    if (!installed)
        installed = __sanitizer_install_malloc_and_free_hooks(alloc_count_one, alloc_count_free);
    if (installed <= 0)
        abort();
    return alloc_counted;
}

#else

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    alloc_counted++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    alloc_counted++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    alloc_counted++;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    alloc_counted++;
    return __libc_memalign(alignment, size);
}

static long alloc_count(void)
{
    return alloc_counted;
}

#endif
#endif
